// Finds inline marks in one pass: rules are tried at every place, the earliest match wins, the text between is kept.

/**
 * @param text the text to read
 * @param rules [{pattern: global RegExp, build(match) → Node | null}]; null leaves the match as text
 * @param plain (text) → Node for what no rule takes
 */
export function scan(text, rules, plain) {
  const nodes = [];
  const finders = rules.map((rule) => finder(text, rule));
  let at = 0;
  for (let hit = earliest(finders, at); hit; hit = earliest(finders, at)) {
    const node = hit.rule.build(hit.match);
    const end = hit.match.index + hit.match[0].length;
    if (node === null) nodes.push(plain(text.slice(at, end)));
    else nodes.push(...before(text, at, hit.match.index, plain), node);
    at = end;
  }
  nodes.push(...before(text, at, text.length, plain));
  return nodes;
}

function before(text, from, to, plain) {
  return to > from ? [plain(text.slice(from, to))] : [];
}

// Each rule remembers its next match, so that a long text is read once per rule and not once per mark.
function finder(text, rule) {
  const pattern = new RegExp(rule.pattern.source, rule.pattern.flags);
  let match;
  return (from) => {
    if (match === null || (match && match.index >= from)) return match && { match, rule };
    pattern.lastIndex = from;
    match = pattern.exec(text);
    return match && { match, rule };
  };
}

function earliest(finders, from) {
  const hits = finders.map((find) => find(from)).filter(Boolean);
  return hits.reduce((best, hit) => (best && best.match.index <= hit.match.index ? best : hit), null);
}
