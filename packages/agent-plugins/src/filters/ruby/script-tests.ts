/**
 * `test` blocks of a script file: run when the filter is made. A script whose tests fail is not used.
 */
import { ShoalError } from '@shoal/core';
import { newEvent, settle } from '../../scripting/ruby/library/event-values.ts';
import { faultOf, type RubyScripts } from '../../scripting/ruby/ruby-script.ts';
import { toText } from '../../scripting/ruby/values/inspect.ts';
import { exception } from '../../scripting/ruby/values/ruby-exception.ts';
import { type Method, RubyHash, type RubyProc, truthy, type Value } from '../../scripting/ruby/values/ruby-value.ts';
import type { RubyEvent } from '../../scripting/ruby/values/script-objects.ts';

interface Expectation {
  readonly name: string;
  readonly block: RubyProc;
}

interface ScriptTest {
  parameters: Value;
  events: readonly RubyHash[];
  readonly expectations: Expectation[];
}

/** @throws ShoalError with all that failed */
export function runScriptTests(text: string, path: string, newScripts: () => RubyScripts): void {
  const failures: string[] = [];
  for (let wanted = 0; ; wanted++) {
    const scripts = newScripts();
    const found = testNumbered(scripts, text, path, wanted);
    if (found === null) break;
    failures.push(...runTest(scripts, found.name, found.test));
  }
  if (failures.length === 0) return;
  throw new ShoalError(
    'illegal_argument_exception',
    400,
    `${path}: tests of the script failed: ${failures.join('; ')}`,
  );
}

/** Loads the file and runs the description of one of its tests; null when there are fewer. */
function testNumbered(
  scripts: RubyScripts,
  text: string,
  path: string,
  wanted: number,
): { readonly name: string; readonly test: ScriptTest } | null {
  const { functions, defined } = scripts.machine;
  const blocks: { readonly name: string; readonly block: RubyProc }[] = [];
  const describe: Method = (_machine, _self, [name = null], block) => {
    if (block !== null) blocks.push({ name: toText(name), block });
    return null;
  };
  const test: ScriptTest = { parameters: new RubyHash(), events: [], expectations: [] };
  const words: Readonly<Record<string, Method>> = {
    test: describe,
    parameters: (_machine, _self, _args, block) => {
      test.parameters = block?.run([], null) ?? null;
      return null;
    },
    in_event: (_machine, _self, _args, block) => {
      const given = block?.run([], null) ?? null;
      test.events = (Array.isArray(given) ? given : [given]).filter((one): one is RubyHash => one instanceof RubyHash);
      return null;
    },
    expect: (_machine, _self, [name = null], block) => {
      if (block === null) throw exception('ArgumentError', 'expect needs a block');
      test.expectations.push({ name: toText(name), block });
      return null;
    },
  };
  for (const [name, word] of Object.entries(words)) {
    functions.set(name, word);
    defined.add(name);
  }
  scripts.callAtStart(scripts.compile(text, path, []), [], path);
  const own = blocks[wanted];
  if (own === undefined) return null;
  scripts.callAtStart(() => own.block.run([], null), [], `test "${own.name}"`);
  return { name: own.name, test };
}

function runTest(scripts: RubyScripts, name: string, test: ScriptTest): readonly string[] {
  const { machine } = scripts;
  const register = scripts.functionNamed('register');
  if (register !== null) scripts.callAtStart(register, [test.parameters], `register in test "${name}"`);
  const filter = scripts.functionNamed('filter');
  if (filter === null) return [`${name}: the script does not define a method "filter"`];
  if (test.events.length === 0) return [`${name}: it has no in_event`];
  const results: Value[] = [];
  for (const fields of test.events) {
    const event: RubyEvent = newEvent(fields, machine.wallMs());
    const result = scripts.callAtStart(filter, [event], `test "${name}"`);
    settle(event);
    results.push(...(Array.isArray(result) ? result : []));
  }
  return test.expectations.flatMap(({ name: expected, block }) => {
    try {
      const holds = scripts.call(() => block.run([results], null), []);
      return truthy(holds) ? [] : [`${name}: ${expected}`];
    } catch (error) {
      const fault = faultOf(error);
      if (fault === null) throw error;
      return [`${name}: ${expected}: ${fault.className}: ${fault.message}`];
    }
  });
}
