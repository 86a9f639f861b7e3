/**
 * `YAML`: texts and files as the values that they hold. It writes none.
 */
import { messageOf } from '@shoal/core';
import { parseRubyYaml } from '../../../yaml/ruby-yaml.ts';
import { option, textArgument } from '../arguments/arguments.ts';
import { exception } from '../values/ruby-exception.ts';
import {
  float,
  integer,
  type Machine,
  type Methods,
  RubyClass,
  RubyHash,
  RubyString,
  RubySymbol,
  str,
  type Value,
} from '../values/ruby-value.ts';
import { fileContents } from './file-methods.ts';

export const YAML: RubyClass = new RubyClass('YAML', null, [], true);

/** Deeper values hold themselves. */
const DEPTH_MAX = 200;

function readValue(machine: Machine, read: unknown, hasSymbols: boolean, depth = 0): Value {
  machine.grow(1);
  if (depth > DEPTH_MAX) throw exception('Psych::SyntaxError', 'the values are nested too deep');
  const inner = (item: unknown): Value => readValue(machine, item, hasSymbols, depth + 1);
  if (Array.isArray(read)) return read.map(inner);
  if (read instanceof Map) {
    return RubyHash.of(
      Array.from(read, ([key, item]) => {
        const name = inner(key);
        return [hasSymbols && name instanceof RubyString ? new RubySymbol(name.text) : name, inner(item)] as const;
      }),
    );
  }
  if (typeof read === 'string') return str(read);
  if (typeof read === 'bigint') return integer(read);
  if (typeof read === 'number') return float(read);
  return typeof read === 'boolean' ? read : null;
}

function loaded(machine: Machine, text: string, args: readonly Value[]): Value {
  machine.grow(text.length);
  let read: unknown;
  try {
    read = parseRubyYaml(text, true);
  } catch (error) {
    throw exception('Psych::SyntaxError', messageOf(error));
  }
  // An empty text is false, as it was before YAML had a value for it.
  return read === undefined ? false : readValue(machine, read, option(args, 'symbolize_names') === true);
}

const ofText: Methods<RubyClass>[string] = (machine, _self, args) => loaded(machine, textArgument(args[0]), args);
const ofFile: Methods<RubyClass>[string] = (machine, _self, args) =>
  loaded(machine, fileContents(machine, textArgument(args[0])).text, args);

export function defineYaml(): void {
  YAML.defineOnClass({
    load: ofText,
    safe_load: ofText,
    unsafe_load: ofText,
    load_file: ofFile,
    safe_load_file: ofFile,
    unsafe_load_file: ofFile,
  });
}
