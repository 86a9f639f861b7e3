import { describe, expect, test } from 'vitest';
import { makeFilter } from '../../../../agent-config/src/options/plugin-fixture.test-support.ts';
import { runFilter, testFiles, withClock } from '../filter-outcome.test-support.ts';
import { rubyFilter } from './ruby.ts';

const run = (options: Record<string, unknown>, fields: Record<string, unknown> = {}) =>
  runFilter(rubyFilter, options, fields);
const result = async (expression: string): Promise<unknown> =>
  (await run({ code: `event.set('r', (${expression}))` })).event.r;

describe('the ruby filter', () => {
  test('gets, sets, removes, tags, copies and cancels', async () => {
    const code = `
      event.set('[a][b]', event.get('n') * 2) unless event.get('n').nil?
      event.set('list', [1, { 'x' => nil }])
      event.remove('n')
      event.tag 'done'
      copy = event.clone
      copy.set('copy', true)
      new_event_block.call(copy)`;
    const { events } = await run({ code }, { n: 21 });
    const fields = { a: { b: 42 }, list: [1, { x: null }], tags: ['done'] };
    expect(events).toEqual([fields, { ...fields, copy: true }]);
    expect((await run({ code: 'event.cancel' })).events).toEqual([]);
  });

  test('a hash that was got is a copy, a string is the one in the event', async () => {
    const code = "event.get('m').strip!; h = event.get('h'); h['k'] = 2; h['s'].upcase!";
    const { event } = await run({ code }, { m: ' a ', h: { k: 1, s: 'x' } });
    expect(event).toEqual({ m: 'a', h: { k: 1, s: 'X' } });
  });

  test('init sets instance variables and methods that code uses for every event', async () => {
    const init = "require 'json'\n@count = 0\ndef twice(x)\n  return x * 2 if x.is_a?(Integer)\n  x + x\nend";
    const filter = makeFilter(rubyFilter, { init, code: "@count += 1; event.set('n', twice(@count))" });
    const seen: unknown[] = [];
    for (let i = 0; i < 3; i++) {
      const { events } = await filter.run(filter.context.newEvent({}));
      seen.push(events[0]?.fields.get('n'));
    }
    expect(seen).toEqual([2, 4, 6]);
  });

  test('sets hold their items once', async () => {
    const code = `require 'set'
      s = Set.new(event.get('list')) << 3
      s.add(1)
      event.set('size', s.size)
      event.set('list', s.to_a)
      event.set('text', s.map { |x| x * 2 }.to_set.inspect)
      event.set('both', (s & [1, 9]).to_a + (s - [1, 2]).sort + (s | Set['x']).select { |x| x == 'x' }.to_a)
      event.set('asked', [s.include?(2), s.add?(2).nil?, s == Set[3, 2, 1], s.subset?(Set[1, 2]), s.empty?])`;
    const { event } = await run({ code }, { list: [1, 2, 2] });
    expect(event).toEqual({
      size: 3,
      list: [1, 2, 3],
      text: '#<Set: {2, 4, 6}>',
      both: [1, 3, 'x'],
      asked: [true, true, true, false, false],
    });
    expect((await run({ code: "event.set('a', Set[1])" })).event.tags).toEqual(['_rubyexception']);
  });

  test('what a script raises tags the event, which goes on', async () => {
    expect((await run({ code: "event.get('a').split(',')" })).event.tags).toEqual(['_rubyexception']);
    const options = { code: "raise ArgumentError, 'bad'", tag_on_exception: 'oops', tag_with_exception_message: true };
    const { event, outcome } = await run(options);
    expect(event.tags).toEqual(['oops: bad', 'oops']);
    expect(outcome).toBe('unmatched');
    expect((await run({ code: "event.set('@timestamp', 'x')" })).event.tags).toEqual(['_rubyexception']);
  });

  test('a script that never ends, or takes all memory, is ended', async () => {
    const clock = withClock();
    // Each look at the clock finds that a second has passed.
    const runtime = {
      ...clock.runtime,
      clock: { ...clock.runtime.clock, monotonicMs: () => (clock.now += 1000) },
    };
    const endless = makeFilter(rubyFilter, { code: 'loop { begin; x = 1; rescue Exception; end }' }, { runtime });
    const { events } = await endless.run(endless.context.newEvent({}));
    expect(events[0]?.hasTag('_rubyexception')).toBe(true);
    const { event } = await run({ code: "s = 'x' * 1000\nloop { s = s + s }" });
    expect(event.tags).toEqual(['_rubyexception']);
    expect((await run({ code: 'def f(x)\n f(x)\nend\nf(1)' })).event.tags).toEqual(['_rubyexception']);
  });

  test.each([
    ['class Foo; end', 'line 1, column 1: the keyword "class" is not supported here'],
    ["x = 1\n  Net::HTTP.get('x')", 'line 2, column 3: the constant Net::HTTP is not supported here'],
    ["event.set('a', event.get('b').frobnicate)", 'line 1, column 30: the method "frobnicate" is not supported here'],
    ["require 'net/http'", 'require "net/http" is not supported here'],
    ['if true', 'line 1, column 8: unexpected end'],
    ['x = `ls`', 'line 1, column 5: a command of the shell is not supported here'],
    ['case event\nin {a: 1} then 2\nend', 'matching of patterns'],
  ])('what is outside the subset is told at the start: %s', (code, message) => {
    expect(() => makeFilter(rubyFilter, { code })).toThrow(message);
  });

  test('a call of a name with a mark needs no blank before its argument', async () => {
    expect(await result("['a'].include?'a' or false")).toBe(true);
    const code = `k = 'k'
      seen = ['k', 'l']
      event.set('in', 1) if k.empty? or seen.include?k or /x/.match?(k)
      event.set('each', seen.select { |s| s.start_with?"l" })
      event.set('asked', k.respond_to?:size)
      event.set('short', k.empty? ? 'none' : 'some')
      event.set('tight', k.nil? ?1:2)`;
    const wanted = { in: 1, each: ['l'], asked: true, short: 'some', tight: 2 };
    expect((await run({ code })).event).toEqual(wanted);
  });

  test('takes code or path, one of them', () => {
    expect(() => makeFilter(rubyFilter, {})).toThrow('give code or path');
    expect(() => makeFilter(rubyFilter, { code: '1', path: '/x.rb' })).toThrow('give code or path');
  });
});

describe('a file with a script', () => {
  const file = testFiles();
  const text = `
    def register(params)
      @by = params['by']
    end
    def filter(event)
      return [] if event.get('drop')
      event.set('n', event.get('n') * @by)
      [event]
    end
    test 'multiplies' do
      parameters { { 'by' => 3 } }
      in_event { { 'n' => 2 } }
      expect('the product') { |events| events.first.get('n') == EXPECTED }
    end`;
  test('registers with its parameters and answers the events that go on', async () => {
    const path = file('good.rb', text.replace('EXPECTED', '6'));
    const options = { path, script_params: { by: 2 } };
    expect((await run(options, { n: 21 })).events).toEqual([{ n: 42 }]);
    expect((await run(options, { drop: true })).events).toEqual([]);
    expect((await run(options, { n: 'x', by: 1 })).event.n).toBe('xx');
  });
  test('is not used when its tests fail, or when it has no filter', () => {
    expect(() => makeFilter(rubyFilter, { path: file('bad.rb', text.replace('EXPECTED', '7')) })).toThrow(
      'multiplies: the product',
    );
    expect(() => makeFilter(rubyFilter, { path: file('none.rb', 'def register(params)\nend') })).toThrow(
      'does not define a method "filter"',
    );
  });
  test('tags the event when it answers no array', async () => {
    const path = file('nil.rb', 'def filter(event)\n  nil\nend');
    expect((await run({ path }, { n: 1 })).event).toEqual({ n: 1, tags: ['_rubyexception'] });
  });
});

describe('Ruby, as JRuby 9.4 answers', () => {
  test.each([
    ["'a,b,,'.split(',')", ['a', 'b']],
    ["'a1b2'.split(/(\\d)/)", ['a', '1', 'b', '2']],
    ["'héllo'[1..3]", 'éll'],
    ["'abcabc'.gsub(/b(c)/) { $1.upcase }", 'aCaC'],
    ["'x=1 y=2'.scan(/(\\w)=(\\d)/).to_h", { x: '1', y: '2' }],
    ["'az'.succ + 'Zz'.succ", 'baAAa'],
    ["'hello'.tr('a-y', 'b-z')", 'ifmmp'],
    ["'%05.1f|%-4s|%x' % [2.25, 'a', 255]", '002.2|a   |ff'],
    ["'abc'.unpack('H*').first", '616263'],
    ['[-7 / 2, -7 % 3, 7.fdiv(2), 2**70 % 1000]', [-4, 2, 3.5, 424]],
    ['2**64', 18446744073709552000],
    ['[1e16.to_s, 1e20.to_s, 1.0.to_s, 0.00001.to_s]', ['10000000000000000.0', '1.0e+20', '1.0', '1.0e-05']],
    ['[2.5.round, 2.675.round(2), 25.round(-1, half: :even)]', [3, 2.68, 20]],
    ['[3, 1, 2].sort.each_slice(2).map(&:sum)', [3, 3]],
    ['{ a: 1, b: 2 }.each_with_object({}) { |(k, v), h| h[v] = k }.inspect', '{1=>:a, 2=>:b}'],
    ['(a, *b = 1, 2, 3; [b, a])', [[2, 3], 1]],
    ["case 7 when 1..5 then 'low' when Integer then 'int' end", 'int'],
    ['[1, 2, 3].each { |x| break x * 10 if x == 2 }', 20],
    ['lambda { |x, y = 2| return x + y }.call(1)', 3],
    ["Time.at(1700000000).utc.strftime('%Y-%m-%dT%H:%M:%S.%L%z %j %a')", '2023-11-14T22:13:20.000+0000 318 Tue'],
    ["Time.parse('2024-01-02 03:04:05 +0100').utc.iso8601", '2024-01-02T02:04:05Z'],
    ['JSON.parse(\'{"a":[1,null]}\').to_json', '{"a":[1,null]}'],
    ["Digest::MD5.hexdigest('a')", '0cc175b9c0f1b6a831c399e269772661'],
    [`CSV.parse_line('a,"b ""c""",,""').to_json`, '["a","b \\"c\\"",null,""]'],
    ["CSV.parse_line('a;b', col_sep: ';').length + CSV.parse_line('').to_a.length", 2],
    ['CSV.parse("a,b\\n\\n\'c\\nd\',e\\n", quote_char: "\'").to_json', '[["a","b"],[],["c\\nd","e"]]'],
    ["['a', nil, 1.5, 'x,y', ''].to_csv + 'p,q'.parse_csv.join('|')", 'a,,1.5,"x,y",""\np|q'],
    ["CSV.generate_line(['a', 'b'], col_sep: '|', row_sep: '')", 'a|b'],
    [
      `(begin; CSV.parse_line('a,"b'); rescue CSV::MalformedCSVError => e; e.message; end)`,
      'Unclosed quoted field in line 1.',
    ],
    [
      "(begin; CSV.parse('a', headers: true); rescue NotImplementedError => e; e.message; end)",
      'the option headers of CSV is not supported here',
    ],
    ["IPAddr.new('10.0.0.0/8').include?('10.1.2.3')", true],
    ["URI.parse('http://h.com:81/a?b=1').query", 'b=1'],
    ['(begin; nil + 1; rescue NoMethodError => e; e.message; end)', "undefined method `+' for nil:NilClass"],
    ["(begin; Integer('x'); rescue => e; e.message; end)", 'invalid value for Integer(): "x"'],
    ["(/(?<year>\\d+)-/ =~ '2024-05'; year)", '2024'],
    ['"a\\nb" =~ /a.b/', null],
  ])('%s', async (expression, expected) => {
    expect(await result(expression)).toEqual(expected);
  });

  test('a pattern that would run for ever is ended', async () => {
    const { event } = await run({ code: "event.get('m') =~ /^(\\w+\\s?)*$/" }, { m: `${'a'.repeat(60)}!` });
    expect(event.tags).toEqual(['_rubyexception']);
  });
});
