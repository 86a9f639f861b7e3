/**
 * How many arguments the methods of the core classes take, as Ruby 3.1 says in its errors ("given 3, expected 1..2"). An
 * argument too many is refused there; it must not be passed over here, since it would change the answer.
 */
import { argumentCount } from '../values/ruby-exception.ts';
import { MATCH_DATA, REGEXP } from '../values/ruby-regexp.ts';
import { SET } from '../values/ruby-set.ts';
import { TIME } from '../values/ruby-time.ts';
import {
  ARRAY,
  FLOAT,
  HASH,
  INTEGER,
  type Method,
  RANGE,
  type RubyClass,
  RubyHash,
  STRING,
  SYMBOL,
  type Value,
} from '../values/ruby-value.ts';

/** Names of methods by the number of their arguments: `n`, `least..most` or `least+`. `Object`: the same in all classes. */
const ARITIES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  Object: {
    '0': '! class dup freeze frozen? hash itself nil? object_id tap then yield_self',
    '0..1': 'clone display',
    '1': `
      != <=> == === =~ eql? equal? instance_of? instance_variable_defined? instance_variable_get is_a? kind_of?
      method`,
    '1..2': 'respond_to?',
    '2': 'instance_variable_set',
  },
  String: {
    '0': `
      +@ -@ ascii_only? b bytes bytesize chars chop chop! chr clear codepoints dump each_byte each_char empty?
      encoding hex inspect intern length lstrip lstrip! next next! oct ord reverse reverse! rstrip rstrip! size
      strip strip! succ succ! to_c to_f to_r to_s to_str to_sym valid_encoding?`,
    '0..1': 'chomp chomp! partition scrub scrub! to_i unicode_normalize unicode_normalize!',
    '0..2': `
      capitalize capitalize! downcase downcase! each_line lines split swapcase swapcase! upcase upcase!`,
    '0..3': 'encode encode!',
    '1': `
      % * + < << <= > >= casecmp casecmp? delete_prefix delete_prefix! delete_suffix delete_suffix!
      force_encoding getbyte include? replace rpartition scan`,
    '1+': 'match',
    '1..2': `
      [] byteslice center clamp gsub gsub! index ljust match? rindex rjust slice slice! sub sub! unpack unpack1
      upto`,
    '2': 'between? insert tr tr! tr_s tr_s!',
    '2..3': '[]=',
  },
  Symbol: {
    '0': 'empty? id2name inspect length name size succ to_proc to_s to_sym',
    '0..2': 'capitalize downcase swapcase upcase',
    '1': '< <= > >=',
    '1+': 'match',
    '1..2': '[] clamp match?',
    '2': 'between?',
  },
  Array: {
    '0': `
      chunk_while clear collect collect! collect_concat compact compact! delete_if drop_while each each_index
      empty? entries filter filter! filter_map flat_map group_by inspect keep_if lazy length map map! minmax
      partition reject reject! reverse reverse! reverse_each select select! size slice_when sort sort! sort_by
      sort_by! take_while to_a to_ary to_h to_s transpose uniq uniq!`,
    '0..1': `
      all? any? count detect find find_index first flatten flatten! index join last max max_by min min_by none?
      one? pop rindex rotate shift shuffle sum tally`,
    '0..2': 'inject reduce sample',
    '0..3': 'fill',
    '1': `
      & * + - << assoc at combination delete delete_at drop each_cons each_slice each_with_object grep grep_v
      include? intersect? member? replace take |`,
    '1+': 'dig insert',
    '1..2': '[] fetch pack slice slice!',
    '2..3': '[]=',
  },
  Hash: {
    '0': `
      chunk_while clear collect collect_concat compact compact! compare_by_identity delete_if drop_while each
      each_key each_pair each_value empty? entries filter filter! filter_map flat_map group_by inspect invert
      keep_if keys lazy length map minmax partition reject reject! select select! shift size slice_when sort
      sort_by take_while to_a to_h to_hash to_proc to_s transform_values transform_values! uniq values`,
    '0..1': `
      all? any? count default detect find first flatten max max_by min min_by none? one? sum tally`,
    '0..2': 'inject reduce',
    '1': `
      [] assoc default= delete drop each_cons each_slice each_with_object grep grep_v has_key? has_value?
      include? key key? member? replace take value?`,
    '1+': 'dig',
    '1..2': 'fetch',
    '2': '[]= store',
  },
  Integer: {
    '0': `
      -@ abs bit_length even? finite? infinite? integer? magnitude negative? next nonzero? odd? ord positive?
      pred size succ times to_c to_f to_i to_int zero? ~`,
    '0..1': 'ceil chr digits floor inspect to_s truncate',
    '0..2': 'round step',
    '1': `
      % & * ** + - / < << <= > >= >> ^ coerce div divmod downto fdiv gcd modulo quo remainder upto |`,
    '1..2': '[] clamp pow',
    '2': 'between?',
  },
  Float: {
    '0': `
      -@ abs finite? infinite? inspect integer? magnitude nan? negative? nonzero? positive? to_c to_f to_s zero?`,
    '0..1': 'ceil floor to_i to_int truncate',
    '0..2': 'round step',
    '1': '% * ** + - / < <= > >= coerce div divmod fdiv modulo quo remainder',
    '1..2': 'clamp',
    '2': 'between?',
  },
  Range: {
    '0': `
      begin chunk_while collect collect_concat count drop_while each end entries exclude_end? filter filter_map
      flat_map group_by inspect lazy map minmax partition reject select size slice_when sort sort_by take_while
      to_a to_h to_s uniq`,
    '0..1': 'all? any? detect find first last max max_by min min_by none? one? step sum tally',
    '0..2': 'inject reduce',
    '1': 'cover? drop each_cons each_slice each_with_object grep grep_v include? member? take',
  },
  Time: {
    '0': `
      asctime ctime day dst? friday? getgm getutc gmt? gmt_offset gmtime gmtoff hour httpdate inspect mday min
      mon monday? month nsec rfc2822 saturday? sec sunday? thursday? to_a to_date to_datetime to_f to_i to_r
      to_s to_time tuesday? tv_nsec tv_sec tv_usec usec utc utc? utc_offset wday wednesday? yday year zone`,
    '0..1': 'getlocal iso8601 localtime round xmlschema',
    '1': '+ - < <= > >= strftime',
    '1..2': 'clamp',
    '2': 'between?',
  },
  Set: {
    '0': `
      chunk_while clear collect collect_concat delete_if drop_while each empty? entries filter filter_map
      flat_map group_by inspect keep_if lazy length map minmax partition reject select size slice_when sort
      sort_by take_while to_a to_h to_s uniq`,
    '0..1': 'all? any? count detect find first max max_by min min_by none? one? sum tally',
    '0..2': 'inject reduce',
    '1': `
      & + - << <= >= ^ add add? delete delete? difference disjoint? drop each_cons each_slice each_with_object
      grep grep_v include? intersect? intersection member? merge subset? subtract superset? take to_set union |`,
  },
  Regexp: {
    '0': 'inspect names options source to_s',
    '1..2': 'match match?',
  },
  MatchData: {
    '0': 'captures inspect length named_captures names post_match pre_match size to_a to_s',
    '1': 'begin end',
    '1..2': '[]',
  },
};

/** Makes the methods of these classes refuse another number of arguments. Called once all tables are filled. */
export function checkArgumentCounts(): void {
  const classes = [STRING, SYMBOL, ARRAY, HASH, INTEGER, FLOAT, RANGE, TIME, SET, REGEXP, MATCH_DATA];
  for (const one of classes) for (const table of [ARITIES.Object, ARITIES[one.name]]) checkClass(one, table ?? {});
}

function checkClass(one: RubyClass, table: Readonly<Record<string, string>>): void {
  for (const [expected, names] of Object.entries(table)) {
    const [least = '', most = least] = expected.split('..');
    const limit = most.endsWith('+') ? Number.POSITIVE_INFINITY : Number(most);
    for (const name of names.trim().split(/\s+/))
      one.wrap(name, (method) => counted(method, expected, parseInt(least, 10), limit));
  }
}

function counted(method: Method, expected: string, least: number, most: number): Method {
  return (machine, self, args, block) => {
    if (args.length < least || args.length > most) checkAgain(args, expected, least, most);
    return method(machine, self, args, block);
  };
}

/** Named options are a hash behind the others here, which Ruby does not count. */
function checkAgain(args: readonly Value[], expected: string, least: number, most: number): void {
  const count = args.at(-1) instanceof RubyHash ? args.length - 1 : args.length;
  if (args.length < least || count > most) throw argumentCount(args.length, expected);
}
