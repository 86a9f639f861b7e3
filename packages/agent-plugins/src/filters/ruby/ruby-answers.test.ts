/**
 * Expressions with what JRuby 9.4, which Logstash 8 runs scripts in, answers: the value's `inspect`, or `!` and the class of the
 * exception. Arguments that Ruby refuses, or that change its answer, are among them.
 */
import { expect, test } from 'vitest';
import { runFilter } from '../filter-outcome.test-support.ts';
import { rubyFilter } from './ruby.ts';

async function answer(expression: string): Promise<unknown> {
  const code = `begin
    value = (begin; ${expression}; end)
    event.set('answer', value.inspect)
  rescue => raised
    event.set('answer', '!' + raised.class.name)
  end`;
  return (await runFilter(rubyFilter, { code }, {})).event.answer;
}

test.each([
  ['7.pow(3, 7)', '0'],
  ['(-3).pow(3, 7)', '1'],
  ['(2**70).pow(3, 7)', '1'],
  ['5.coerce(1)', '[1, 5]'],
  ['5.coerce(2.5)', '[2.5, 5.0]'],
  ['[3, 1, 2].fill { |i| i * i }', '[0, 1, 4]'],
  ['[1, 2, 3].fill(0, 1)', '[1, 0, 0]'],
  ["[1, 2, 3].fill('x', 1, 1)", '[1, "x", 3]'],
  ['[1, 2].fill(9, 4, 1)', '[1, 2, nil, nil, 9]'],
  ['[1, 2, 3, 4].fill(0, 1..2)', '[1, 0, 0, 4]'],
  ['[1, 2, 3].fill(7, -2)', '[1, 7, 7]'],
  ["[nil, 1] <=> ['x']", 'nil'],
  ['[1] <=> [1.0]', '0'],
  ["'aaa'.rindex(/a+/)", '2'],
  ["'abcabc'.rindex(/bc/, 3)", '1'],
  ["['xxb'.rindex(/b/, 1), $~]", '[nil, nil]'],
  ["'日本語😀b'.rindex(/./, 3)", '3'],
  ["'aaa'.rpartition(/a+/)", '["aa", "a", ""]'],
  ["'abc'.rpartition(/x/)", '["", "", "abc"]'],
  ["'ab'.insert(3, 'x')", '!IndexError'],
  ["'ab'.insert(-1, 'x')", '"abx"'],
  ["'Äb'.dump", '"\\"\\\\u00C4b\\""'],
  ["'ab'.sum", '195'],
  ['255.chr', '"\\xFF"'],
  ['65.chr', '"A"'],
  ['300.chr', '!RangeError'],
  ["300.chr('UTF-8')", '"Ĭ"'],
  ['(-1).digits', '!Math::DomainError'],
  ['4.lcm(6)', '12'],
  ['5 % 0.0', '!ZeroDivisionError'],
  ['-7.5.remainder(2)', '-1.5'],
  ["format('%d', -2.5)", '"-2"'],
  ["format('%#x', 0)", '"0"'],
  ["format('%#x', -2.5)", '"0x..fe"'],
  ["format('%c', 'ab')", '!ArgumentError'],
  ["['b', 'a', 'ccc'].minmax_by(&:length)", '["b", "ccc"]'],
  ['[1].dig(0, 1)', '!TypeError'],
  ["'abc'.upcase(1)", '!ArgumentError'],
  ["'aä'.upcase(:ascii)", '"Aä"'],
  ["'ÄB'.downcase(:ascii)", '"Äb"'],
  ["'aä'.capitalize(:ascii)", '"Aä"'],
  ["'aä'.swapcase(:ascii)", '"Aä"'],
  ["'abc'.upcase(:nope)", '!ArgumentError'],
  ["'abc'.strip(1)", '!ArgumentError'],
  ['[1].first(1, 2)', '!ArgumentError'],
  ["{'a' => 1}.key?", '!ArgumentError'],
  ["'hello'.match(/(?<x>l)(l)?/)", '#<MatchData "ll" x:"l">'],
  ["'abc'.match(/(b)(c)/)", '#<MatchData "bc" 1:"b" 2:"c">'],
  ["'abcb'.match(/b/, 2)[0]", '"b"'],
  ["'ab'.match(/a/, 1)", 'nil'],
  ["'ab'.match?(/a/, 1)", 'false'],
  ["'ab'.match(/b/) { |m| m[0] * 2 }", '"bb"'],
  ["/b/.match('abb', -1).begin(0)", '2'],
  ["format('%.3g', 12345678901)", '"1.23e+10"'],
  ["format('%g', 1e20)", '"1e+20"'],
  ["format('%g', 1200000)", '"1.2e+06"'],
  ["format('%.5g', 100.0)", '"100"'],
  ["format('%g', 0.00012)", '"0.00012"'],
  ["format('%f', '1_000')", '"1000.000000"'],
  ["'0x1f'.oct", '31'],
  ["'0b101'.oct", '5'],
  ["'17'.oct", '15'],
  ['3.remainder(0.0)', '!ZeroDivisionError'],
  ['(-0.0).abs', '0.0'],
  ['0 ** -1', '!ZeroDivisionError'],
  ['(-7).remainder(3)', '-1'],
  ['7.5.remainder(-2)', '1.5'],
])('%s', async (expression, wanted) => {
  expect(await answer(expression)).toBe(wanted);
});
