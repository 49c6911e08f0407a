// What people have filled in: the value of each stateful element, in the shape that Slack puts into `state.values`.

/** For each stateful element: the keys its value is sent under, and the element's own initial ones. */
const SHAPES = {
  channels_select: { selected_channel: "initial_channel" },
  checkboxes: { selected_options: "initial_options" },
  conversations_select: { selected_conversation: "initial_conversation" },
  datepicker: { selected_date: "initial_date" },
  datetimepicker: { selected_date_time: "initial_date_time" },
  email_text_input: { value: "initial_value" },
  external_select: { selected_option: "initial_option" },
  file_input: { files: "initial_files" },
  multi_channels_select: { selected_channels: "initial_channels" },
  multi_conversations_select: { selected_conversations: "initial_conversations" },
  multi_external_select: { selected_options: "initial_options" },
  multi_static_select: { selected_options: "initial_options" },
  multi_users_select: { selected_users: "initial_users" },
  number_input: { value: "initial_value" },
  plain_text_input: { value: "initial_value" },
  radio_buttons: { selected_option: "initial_option" },
  static_select: { selected_option: "initial_option" },
  timepicker: { selected_time: "initial_time" },
  url_text_input: { value: "initial_value" },
  users_select: { selected_user: "initial_user" },
};

const MANY = /^(multi_|checkboxes|file_input)/;

export const isStateful = (element) => Object.hasOwn(SHAPES, element?.type ?? "");

/** The key under which an element's value is sent, such as "selected_option". */
export const valueKey = (element) => Object.keys(SHAPES[element.type])[0];

/** The value an element starts with. */
export function initial(element) {
  const [[key, from]] = Object.entries(SHAPES[element.type]);
  return { [key]: element[from] ?? (MANY.test(element.type) ? [] : null) };
}

/** The stateful elements of a list of blocks, those inside cards and containers included: [{block, element}]. */
function statefulElements(blocks) {
  const held = (block) => [block.element, block.accessory, ...(block.elements ?? []), ...(block.actions ?? [])];
  const inside = (block) => [...(block.child_blocks ?? []), ...(block.type === "carousel" ? block.elements : [])];
  return blocks.flatMap((block) => [
    ...held(block)
      .filter(isStateful)
      .map((element) => ({ block, element })),
    ...statefulElements(inside(block)),
  ]);
}

/** The values of one surface. `sticky`: a value outlives a repaint of its element, as in a modal. */
export class Values {
  #held = new Map();

  constructor({ sticky }) {
    this.sticky = sticky;
  }

  get(block, element) {
    const held = this.#held.get(keyOf(block, element));
    const valid = held && (this.sticky ? held.type === element.type : held.made === JSON.stringify(element));
    return valid ? held.value : initial(element);
  }

  set(block, element, value) {
    this.#held.set(keyOf(block, element), { type: element.type, made: JSON.stringify(element), value });
  }

  /** {values: {block_id: {action_id: {type, …}}}} for every stateful element. */
  state(blocks) {
    const values = {};
    for (const { block, element } of statefulElements(blocks)) {
      values[block.block_id] ??= {};
      values[block.block_id][element.action_id] = { type: element.type, ...this.get(block, element) };
    }
    return { values };
  }
}

const keyOf = (block, element) => `${block.block_id} ${element.action_id}`;

export const isEmpty = (value) => Object.values(value).every((one) => one === null || one === "" || one?.length === 0);
