/**
 * Ruby's own library in scripts: expressions with what Ruby answers, as its `inspect` shows it, or `!` and the class of the
 * exception; files, the environment and the host.
 */
import { hostname } from 'node:os';
import { afterEach, describe, expect, test } from 'vitest';
import { runFilter, testFiles } from '../filter-outcome.test-support.ts';
import { rubyFilter } from './ruby.ts';
import { rubyAnswer } from './ruby-answer.test-support.ts';

const file = testFiles();

test.each([
  ['x = [1, [2, [3, 4]]]; a, (b, (c, *d)) = x; [a, b, c, d]', '[1, 2, 3, [4]]'],
  ['(a, b), c = [1, 2], 3; [a, b, c]', '[1, 2, 3]'],
  ['a, (b, c), d = 1, [2, 3], 4; [a, b, c, d]', '[1, 2, 3, 4]'],
  ["{'x' => [1, 2]}.each { |k, v| a, b = v; break [k, a, b] }", '["x", 1, 2]'],
  ['a = [[1, [2, 3]]].map { |x, (y, z)| [x, y, z] }', '[[1, 2, 3]]'],
  ['f = ->(x, (y, z)) { [x, y, z] }; f.call(1, [2, 3])', '[1, 2, 3]'],
  ["File.extname('.profile')", '""'],
  ["File.extname('a.')", '"."'],
  ["File.extname('a.b/c')", '""'],
  ["File.extname('a.b.c')", '".c"'],
  ["File.extname('/x/.a.b')", '".b"'],
  ["File.basename('/')", '"/"'],
  ["File.basename('/a/b/')", '"b"'],
  ["File.basename('a.txt', 'a.txt')", '"a.txt"'],
  ["File.basename('')", '""'],
  ["File.basename('a.tar.gz', '.*')", '"a.tar"'],
  ["File.dirname('a')", '"."'],
  ["File.dirname('/')", '"/"'],
  ["File.dirname('/a')", '"/"'],
  ["File.dirname('a/b/')", '"a"'],
  ["File.join('/', 'a')", '"/a"'],
  ["File.join('a', ['b', 'c'])", '"a/b/c"'],
  ["File.join('a/', '/b')", '"a/b"'],
  ["File.join('', 'x')", '"/x"'],
  ['File.join', '""'],
  [
    "begin; File.read('/nonexistent/x'); rescue Errno::ENOENT => e; e.message; end",
    '"No such file or directory @ rb_sysopen - /nonexistent/x"',
  ],
  ["ENV.fetch('NOPE')", '!KeyError'],
  ["ENV.fetch('NOPE') { |n| n * 2 }", '"NOPENOPE"'],
  ['StringIO.new("a\\nb\\n").gets', '"a\\n"'],
  ["s = StringIO.new; s << 'a' << 'b'; s.puts 'c'; s.string", '"abc\\n"'],
  ['StringIO.new("a\\nb").each_line.map(&:chomp)', '["a", "b"]'],
  ['StringIO.new("a\\nb").readlines(chomp: true)', '["a", "b"]'],
  ["StringIO.new('').read", '""'],
  ['io = StringIO.new("x\\ny"); io.gets; io.read', '"y"'],
  ["io = StringIO.new('ab'); io.read; io.eof?", 'true'],
  [`YAML.load("1: a\\n'2': b\\nc: 1.0\\nd: ~\\ne: true")`, '{1=>"a", "2"=>"b", "c"=>1.0, "d"=>nil, "e"=>true}'],
  ["YAML.load('')", 'nil'],
  ["YAML.load('[1, 2.5, x]')", '[1, 2.5, "x"]'],
  ["YAML.load('a: b', symbolize_names: true)", '{:a=>"b"}'],
  ["YAML.load('a: [')", '!Psych::SyntaxError'],
  ["YAML.safe_load('x: {y: z}')", '{"x"=>{"y"=>"z"}}'],
  ['YAML.load("a: |\\n  x\\n  y\\n")', '{"a"=>"x\\ny\\n"}'],
  ['m = Mutex.new; m.synchronize { m.locked? }', 'true'],
  ["require 'monitor'; Monitor.new.synchronize { 1 }", '1'],
  ['[1, 2, 4, 9, 10, 11, 12, 15].slice_when { |i, j| i + 1 != j }.to_a', '[[1, 2], [4], [9, 10, 11, 12], [15]]'],
  ['[3, 1, 4, 1, 5].chunk(&:odd?).to_a', '[[true, [3, 1]], [false, [4]], [true, [1, 5]]]'],
  ['%w[a b c].each_entry.to_a', '["a", "b", "c"]'],
  ['[1, 2, 3].permutation.to_a.length', '6'],
  ['[1, 2, 3].permutation(4).to_a', '[]'],
  ['[5, 9, 12].bsearch { |x| x >= 7 }', '9'],
  ['[5, 9, 12].bsearch { |x| x >= 70 }', 'nil'],
  ['[5, 9, 12].bsearch_index { |x| 9 <=> x }', '1'],
  ["[[1, 5, 'x'], [6, 9, 'y']].bsearch { |m| (7 < m[0]) ? -1 : ((7 > m[1]) ? 1 : 0) }", '[6, 9, "y"]'],
  ['a = [1, 2, 3]; a.rotate!; a', '[2, 3, 1]'],
  ['[1, 2].cycle.first(5)', '[1, 2, 1, 2, 1]'],
  ['[1, 2].cycle.take(3)', '[1, 2, 1]'],
  ['e = [1, 2].each; [e.next, e.peek, e.next]', '[1, 2, 2]'],
  ['e = [1].each; e.next; e.next', '!StopIteration'],
  ['(1..3).find_index { |x| x > 1 }', '1'],
  ['[1,2,3].find_all.class', 'Enumerator'],
  ['(1..6).slice_before { |x| x % 3 == 0 }.to_a', '[[1, 2], [3, 4, 5], [6]]'],
  ['{a: 1, b: 2} > {a: 1}', 'true'],
  ['{a: 1} < {a: 1}', 'false'],
  ['{a: 2} <= {a: 1}', 'false'],
  ['{a: 1, b: 2}.find_all { |k, v| v > 1 }', '[[:b, 2]]'],
  ['{a: 1}.find_index([:a, 1])', '0'],
  ['6.anybits?(1)', 'false'],
  ['6.nobits?(1)', 'true'],
  ['-5.abs + +3', '8'],
  ['1 +2', '3'],
  ['x = 4; x +2', '6'],
  ['3.finite?', 'true'],
  ['(1.0/0).finite?', 'false'],
  ["'aé👨‍👩‍👧'.grapheme_clusters.length", '3'],
  ["'é'.unicode_normalized?(:nfd)", 'false'],
  ['Date.valid_date?(2021, 2, 29)', 'false'],
  ['Date.valid_date?(2021, 13, 1)', 'false'],
  ['Date.commercial(2021, 53, 1)', '!Date::Error'],
  ['Date.ordinal(2021, 366)', '!Date::Error'],
  ['Date.new(2020, 1, 31).upto(Date.new(2020, 2, 2)).map(&:to_s)', '["2020-01-31", "2020-02-01", "2020-02-02"]'],
  ['Date.new(2020, 1, 3).downto(Date.new(2020, 1, 1)).map(&:day)', '[3, 2, 1]'],
  ['(Date.new(2020, 1, 1)...Date.new(2020, 1, 3)).to_a.length', '2'],
  ['(Date.new(2020, 1, 1)..Date.new(2020, 1, 3)).include?(Date.new(2020, 1, 2))', 'true'],
  ['Time.at(0, 123456789, :nsec).utc.floor(3).nsec', '123000000'],
  ['Time.at(0, 123456789, :nsec).utc.ceil(3).nsec', '124000000'],
  ['Date.civil(2020, 2, -1).to_s', '"2020-02-29"'],
  ['DateTime.new(2020, 1, 1).mjd', '58849'],
  ["(~IPAddr.new('0.0.0.255')).to_s", '"255.255.255.0"'],
  ["(IPAddr.new('1.2.3.4') << 8).to_s", '"2.3.4.0"'],
  ["IPAddr.new('255.255.255.255').succ", '!IPAddr::InvalidAddressError'],
  ["IPAddr.new('2001:db8::1').reverse", '"1.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.8.b.d.0.1.0.0.2.ip6.arpa"'],
  ["IPAddr.new('10.0.0.0/8').netmask", '"255.0.0.0"'],
  ["IPAddr.new_ntoh([10, 0, 0, 1].pack('C4')).to_s", '"10.0.0.1"'],
  ["IPAddr.new('10.0.0.2') > IPAddr.new('10.0.0.1')", 'true'],
  ["[IPAddr.new('10.0.0.2'), IPAddr.new('9.0.0.1')].sort.map(&:to_s)", '["9.0.0.1", "10.0.0.2"]'],
  ["IPAddr.new('::ffff:10.0.0.1').to_s", '"::ffff:10.0.0.1"'],
  ["Digest::SHA256.new.hexdigest('a')[0, 6]", '"ca9781"'],
  ["d = Digest::MD5.new; d.update('a'); d.update('b'); d.hexdigest == Digest::MD5.hexdigest('ab')", 'true'],
  ["OpenSSL::Digest.new('nope')", '!RuntimeError'],
  ["OpenSSL::HMAC.digest('MD5', 'k', 'd').bytes.length", '16'],
  ["OpenSSL::Digest::SHA1.hexdigest('a')[0, 6]", '"86f7e4"'],
  ["Digest::SHA2.new(384).hexdigest('a')[0, 6]", '"54a59b"'],
  ["Digest::SHA2.hexdigest('a')[0, 6]", '"ca9781"'],
  ["Zlib.inflate(Zlib.deflate('abc'))", '"abc"'],
  ["Zlib::Inflate.inflate('nope')", '!Zlib::DataError'],
  ["Zlib.gunzip('nope')", '!Zlib::GzipFile::Error'],
  ["Zlib::Inflate.new(16 + Zlib::MAX_WBITS).inflate(Zlib.gzip('abc'))", '"abc"'],
  ["Zlib::Inflate.new(32 + Zlib::MAX_WBITS).inflate(Zlib.deflate('abc'))", '"abc"'],
  ["Zlib.inflate(Zlib.deflate('abcabc')[0, 4])", '!Zlib::BufError'],
  ['Zlib::GzipReader.new(StringIO.new(Zlib.gzip("a\\nb\\n"))).each_line.to_a', '["a\\n", "b\\n"]'],
  ["URI.join('http://a/b/c', '../d').to_s", '"http://a/d"'],
  ["URI.split('http://u@h:1/p?q#f')[2]", '"h"'],
  ["URI('http://h').path", '""'],
  ["JSON.load_file('/nonexistent')", '!Errno::ENOENT'],
  ["Kernel.format('%05d', 42)", '"00042"'],
  ["Kernel.sprintf('%x', 255)", '"ff"'],
  ["Kernel.Integer('7')", '7'],
  ['Process.clock_gettime(Process::CLOCK_REALTIME, :millisecond).class', 'Integer'],
  ['Process.clock_gettime(Process::CLOCK_MONOTONIC, :nope)', '!ArgumentError'],
  ['Math.asinh(0)', '0.0'],
  ['Set[1, 2] < Set[1, 2]', 'false'],
  ['Set[1] < Set[1, 2]', 'true'],
  ['s = Set[1, 2]; s.reject! { |x| x > 5 }', 'nil'],
  ["'a1b2'.match(/(?<x>[a-z])(?<y>\\d)/).regexp.named_captures", '{"x"=>[1], "y"=>[2]}'],
  ["Regexp.compile('a', Regexp::IGNORECASE).match?('A')", 'true'],
  ['Timeout.timeout(1) { 5 }', '5'],
  ['Timeout.timeout(0.2) { loop {} }', '!Timeout::Error'],
  ['begin; Timeout.timeout(0.2) { loop {} }; rescue Timeout::Error => e; e.message; end', '"execution expired"'],
  ['Random.rand(1.0) < 1', 'true'],
  ['Random.rand(5).between?(0, 4)', 'true'],
  ['Random.new.rand(1..1)', '1'],
  ["warn 'x'", 'nil'],
  ["$stdout.puts 'a'", 'nil'],
  ["STDERR.puts('x')", 'nil'],
  ["x = 'v'; %W[a#{x} b\\ c d]", '["av", "b c", "d"]'],
  ['%I[a#{1} b]', '[:a1, :b]'],
  ['%w[a#{x} b\\ c]', '["a\\#{x}", "b c"]'],
  ['[1, 2, 3][..1]', '[1, 2]'],
  ['[1, 2, 3][...2]', '[1, 2]'],
  ["'hello'[..2]", '"hel"'],
  ['5.clamp(..3)', '3'],
  ['5.clamp(7..)', '7'],
  ['5.clamp(1..3)', '3'],
  ['(..2) === 1', 'true'],
  ['(..2).include?(5)', 'false'],
  ["case 3 when ..5 then 'low' else 'high' end", '"low"'],
  ['r = []; (1..Float::INFINITY).each { |i| break if i > 3; r << i }; r', '[1, 2, 3]'],
  ['(1..Float::INFINITY).first(2)', '[1, 2]'],
  ['1.step(2, 0.5).to_a', '[1.0, 1.5, 2.0]'],
  ['1.step(by: 0.5, to: 2).to_a', '[1.0, 1.5, 2.0]'],
  ['1.step(3).to_a', '[1, 2, 3]'],
  ["Date.parse('2020-02-30')", '!Date::Error'],
  ["Time.parse('2020-02-29T10:00:00Z').day", '29'],
  ["DateTime.parse('20200230')", '!Date::Error'],
  ["Date.parse('20200229').to_s", '"2020-02-29"'],
  ["Time.parse('2020-13-01')", '!ArgumentError'],
  ['x = 3; y = 1..x; y.to_a', '[1, 2, 3]'],
  ['[*1..3]', '[1, 2, 3]'],
  ['a = [5, 6, 7]; a[1..]', '[6, 7]'],
  ['(1..)', '1..'],
  ["Time.parse('2019-02-29T10:00:00Z')", '2019-03-01 10:00:00 UTC'],
])('%s is %s', async (expression, expected) => {
  expect(await rubyAnswer(expression)).toBe(expected);
});

describe('files', () => {
  test('are read whole, by lines, and through a block', async () => {
    const path = file('table.csv', 'a,1\nb,2\n');
    expect(await rubyAnswer(`File.read('${path}')`)).toBe('"a,1\\nb,2\\n"');
    expect(await rubyAnswer(`File.readlines('${path}', chomp: true)`)).toBe('["a,1", "b,2"]');
    expect(await rubyAnswer(`File.foreach('${path}').map { |line| line.split(',').first }`)).toBe('["a", "b"]');
    expect(
      await rubyAnswer(`File.open('${path}') { |f| f.each_line.map(&:chomp).to_h { |line| line.split(',') } }`),
    ).toBe('{"a"=>"1", "b"=>"2"}');
    expect(await rubyAnswer(`[File.exist?('${path}'), File.file?('${path}'), File.directory?('${path}')]`)).toBe(
      '[true, true, false]',
    );
    expect(await rubyAnswer(`File.size('${path}')`)).toBe('8');
  });

  test('of YAML and JSON are the values in them', async () => {
    expect(await rubyAnswer(`YAML.load_file('${file('map.yml', '200: ok\n"404": {a: 1.0}\n')}')`)).toBe(
      '{200=>"ok", "404"=>{"a"=>1.0}}',
    );
    expect(await rubyAnswer(`JSON.parse(File.read('${file('map.json', '{"a":[1]}')}'))`)).toBe('{"a"=>[1]}');
    expect(await rubyAnswer(`JSON.load_file('${file('map2.json', '{"a":2}')}')`)).toBe('{"a"=>2}');
  });

  test('are not written', async () => {
    const code = `File.open('${file('kept.txt', 'x')}', 'a') { |f| f.puts 'y' }`;
    expect((await runFilter(rubyFilter, { code }, {})).event.tags).toEqual(['_rubyexception']);
    expect(await rubyAnswer(`File.read('${file('kept2.txt', 'x')}')`)).toBe('"x"');
  });
});

describe('variables of the class', () => {
  test('are shared by all scripts, and nil only to ||=', async () => {
    const init = '@@shared = 4\n@@list ||= []';
    await runFilter(rubyFilter, { init, code: '@@shared += 1; @@list << @@shared' }, {});
    expect(await rubyAnswer('[@@shared, @@list, defined?(@@shared)]')).toBe('[5, [5], "class variable"]');
    expect(await rubyAnswer('@@never')).toBe('!NameError');
  });
});

describe('what surrounds a script', () => {
  afterEach(() => {
    delete process.env.SHOAL_RUBY_TEST;
  });

  test('the environment is read, and not changed', async () => {
    process.env.SHOAL_RUBY_TEST = 'set';
    expect(
      await rubyAnswer("[ENV['SHOAL_RUBY_TEST'], ENV.fetch('SHOAL_RUBY_TEST'), ENV.key?('SHOAL_RUBY_TEST')]"),
    ).toBe('["set", "set", true]');
    expect(await rubyAnswer("ENV['SHOAL_RUBY_TEST'] = 'x'")).toBe('!NoMethodError');
  });

  test('addresses are packed with their ports', async () => {
    expect(await rubyAnswer("Socket.sockaddr_in(80, '1.2.3.4').bytes")).toBe(
      '[2, 0, 0, 80, 1, 2, 3, 4, 0, 0, 0, 0, 0, 0, 0, 0]',
    );
    expect(
      await rubyAnswer("Socket.sockaddr_in('81', '::1').then { |packed| [packed.length, packed[4, 16].bytes.last] }"),
    ).toBe('[28, 1]');
  });

  test('the host has its name', async () => {
    expect(await rubyAnswer("require 'socket'; Socket.gethostname")).toBe(JSON.stringify(hostname()));
  });
});
