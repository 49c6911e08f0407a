// What Slack itself refuses before an app sees a submission: empty required inputs, lengths, numbers and addresses.

import { isEmpty } from "./blocks/values.js";

const REQUIRED = "Please complete this required field.";
const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;
const NUMBER = { true: /^[+-]?\d+(\.\d+)?$/, false: /^[+-]?\d+$/ };

/** {block_id: sentence} for each input block that is not filled in as its element demands. */
export function complaints(blocks, values) {
  const wrong = {};
  for (const block of blocks.filter(({ type }) => type === "input")) {
    const sentence = complaint(block, values.get(block, block.element));
    if (sentence) wrong[block.block_id] = sentence;
  }
  return wrong;
}

function complaint({ element, optional }, value) {
  if (isEmpty(value)) return optional ? null : REQUIRED;
  return CHECKS[element.type]?.(element, value.value) ?? null;
}

const CHECKS = {
  plain_text_input: (element, text) => length(element, text),
  email_text_input: (_, text) => (EMAIL.test(text) ? null : "Please enter a valid e-mail address."),
  url_text_input: (_, text) => (URL.canParse(text) ? null : "Please enter a valid address."),
  number_input: (element, text) => number(element, text.trim()),
};

function length(element, text) {
  if (element.min_length && text.length < element.min_length)
    return `Please write at least ${element.min_length} characters.`;
  return null;
}

function number(element, text) {
  const decimal = Boolean(element.is_decimal_allowed);
  if (!NUMBER[decimal].test(text)) return decimal ? "Please enter a number." : "Please enter a whole number.";
  if (element.min_value !== undefined && Number(text) < Number(element.min_value))
    return `Please enter ${element.min_value} or more.`;
  if (element.max_value !== undefined && Number(text) > Number(element.max_value))
    return `Please enter ${element.max_value} or less.`;
  return null;
}
