import { expect, test } from 'vitest';
import { parseConfig } from '../grammar/parse-config.ts';
import { locateFailure } from './locate-failure.ts';

const TEXT = `filter {
  if [a] {
    grok { match => { "m" => ["%{IP:a}", "x %{IPORHOST:b} (y"] } timeout_millis => 5 }
    date { match => ["t", "yyyy-QQ"] }
  }
}`;
const tree = parseConfig([{ name: 'a.conf', text: TEXT }]);

function placeOf(plugin: string, message: string): string {
  const before = TEXT.slice(0, TEXT.indexOf(plugin)).split('\n');
  const position = { file: 'a.conf', line: before.length, column: (before.at(-1) ?? '').length + 1 };
  const { line, column } = locateFailure(tree, position, message).position;
  return (TEXT.split('\n')[line - 1] ?? '').slice(column - 1, column + 9);
}

test.each([
  ['the name that a message quotes, and no longer one', 'grok', 'pattern %{IP} not defined', '%{IP:a}", '],
  ['the same within a text', 'grok', 'pattern %{IPORHOST} not defined', '%{IPORHOST'],
  ['a whole text', 'grok', 'invalid regular expression [x %{IPORHOST:b} (y]: no end', '%{IPORHOST'],
  ['a part in brackets', 'date', 'the letters [QQ] mean nothing', 'QQ"] }'],
  ['an option that it names', 'grok', 'timeout_millis is too short', 'timeout_mi'],
  ['the plugin when nothing is found', 'date', 'no', 'date { mat'],
])('a failure is shown at %s', (_what, plugin, message, expected) => {
  expect(placeOf(plugin, message)).toBe(expected);
});
