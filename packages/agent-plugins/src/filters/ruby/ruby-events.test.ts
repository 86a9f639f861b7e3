/**
 * What scripts do with whole events, as Logstash's events answer: appended to each other, made of JSON.
 */
import { describe, expect, test } from 'vitest';
import { rubyAnswer } from './ruby-answer.test-support.ts';

const answer = (expression: string): Promise<unknown> =>
  rubyAnswer(expression, "raised.class.name + ' ' + raised.message");

const appended = (to: string, other: string, field = 'f'): Promise<unknown> =>
  answer(
    `a = LogStash::Event.new(${to}); b = LogStash::Event.new(${other}); a.append(b); [a.get('${field}'), b.get('${field}')]`,
  );

describe('an event that is appended', () => {
  test.each([
    ["{'g' => 1}", "{'f' => 'x'}", '["x", "x"]'],
    ["{'f' => 'x'}", "{'g' => 1}", '["x", nil]'],
    ["{'f' => 'x'}", "{'f' => 'x'}", '["x", "x"]'],
    ["{'f' => 'x'}", "{'f' => 'y'}", '[["x", "y"], "y"]'],
    ["{'f' => 'x'}", "{'f' => ['x', 'y']}", '[["x", "y"], ["x", "y"]]'],
    ["{'f' => ['x', 'y']}", "{'f' => 'y'}", '[["x", "y"], "y"]'],
    ["{'f' => ['x']}", "{'f' => ['y', 'x', 'y']}", '[["x", "y"], ["y", "x", "y"]]'],
    ["{'f' => 1}", "{'f' => 2}", '[[1, 2], 2]'],
    [
      "{'f' => {'p' => 1, 'q' => 2}}",
      "{'f' => {'q' => 3, 'r' => 4}}",
      '[{"p"=>1, "q"=>[2, 3], "r"=>4}, {"q"=>3, "r"=>4}]',
    ],
  ])('%s and %s', async (to, other, expected) => {
    expect(await appended(to, other)).toBe(expected);
  });

  test('brings its tags', async () => {
    expect(await appended("{'tags' => ['a']}", "{'tags' => ['b']}", 'tags')).toBe('[["a", "b"], ["b"]]');
  });

  test('leaves the time as it was, and is changed by nothing that comes', async () => {
    const script = `a = LogStash::Event.new({'@timestamp' => '2020-01-01T00:00:00.000Z'})
      b = LogStash::Event.new({'m' => {'n' => 1}}); a.append(b); a.set('[m][n]', 2)
      [a.timestamp.to_iso8601, b.get('[m][n]')]`;
    expect(await answer(script)).toBe('["2020-01-01T00:00:00.000Z", 1]');
  });
});

describe('events of JSON', () => {
  test.each([
    ["LogStash::Event.from_json('  ')", '[]'],
    ["LogStash::Event.from_json('[]')", '[]'],
    [`LogStash::Event.from_json('{"f":1}').map { |e| e.get('f') }`, '[1]'],
    [`LogStash::Event.from_json('[{"f":1},{"f":2}]').map { |e| e.get('f') }`, '[1, 2]'],
  ])('%s', async (expression, expected) => {
    expect(await answer(expression)).toBe(expected);
  });

  test.each(['"aa"', '[1]', '[{}, 1]', '{', 'aa'])('are not made of %s', async (text) => {
    expect(await answer(`LogStash::Event.from_json('${text}')`)).toMatch(/^!LogStash::Json::ParserError ./);
  });
});

test.each([
  ['event.sprintf(2)', '"2"'],
  ['event.sprintf(2.5)', '"2.5"'],
  ['LogStash::Event::TIMESTAMP_FAILURE_FIELD', '"_@timestamp"'],
  ['LogStash::Event::TIMESTAMP_FAILURE_TAG', '"_timestampparsefailure"'],
  ["event['foo']", expect.stringContaining("Direct event field references (i.e. event['field'])")],
  ["event['foo'] = 1", expect.stringContaining("Direct event field references (i.e. event['field'] = 'value')")],
])('%s', async (expression, expected) => {
  expect(await answer(expression)).toEqual(expected);
});
