/**
 * A parsed script as closures on a machine. What is not in the subset of Ruby is told here, before anything runs.
 */
import { CONSTANTS } from '../library/constants.ts';
import type { ScriptMachine } from '../machine/script-machine.ts';
import { assignedNames } from '../syntax/assigned-names.ts';
import { parseRuby, type RubySource } from '../syntax/parse-ruby.ts';
import type { NodeOf, Parameter, RubyNode } from '../syntax/ruby-tree.ts';
import { toText } from '../values/inspect.ts';
import { exception } from '../values/ruby-exception.ts';
import { RubyRegexp } from '../values/ruby-regexp.ts';
import {
  float,
  type Method,
  RubyClass,
  RubyRange,
  RubyString,
  RubySymbol,
  truthy,
  type Value,
} from '../values/ruby-value.ts';
import { definition, lambda, method } from './blocks.ts';
import { call, yieldCall } from './calls.ts';
import { type Compiler, refused, type Scope } from './compiler.ts';
import { begin, caseOf, condition, forLoop, jump, whileLoop } from './flow.ts';
import { RetrySignal, type Run } from './frame.ts';
import { array, assign, classVariable, globalVariable, hash, multipleAssign, readPlace } from './variables.ts';

/**
 * The script as a method with these parameters.
 *
 * @throws ShoalError with line and column
 */
export function compileScript(machine: ScriptMachine, source: RubySource, params: readonly Parameter[]): Method {
  const names = params.flatMap((one) => ('name' in one && one.name !== null ? [one.name] : []));
  const tree = parseRuby(source, names);
  for (const name of definedMethods(tree)) machine.defined.add(name);
  const assigned = assignedNames(source.text);
  const compiler: Compiler = {
    machine,
    source,
    assigned,
    compile: (node, scope) => compileNode(compiler, node, scope),
    knowsMethod: (name) => KNOWN_METHODS.has(name) || machine.defined.has(name),
  };
  return method(compiler, params, tree);
}

const KNOWN_METHODS: ReadonlySet<string> = knownMethods();

function knownMethods(): ReadonlySet<string> {
  const names = new Set<string>(['call', 'logger']);
  for (const value of CONSTANTS.values()) {
    if (!(value instanceof RubyClass)) continue;
    for (const name of [...value.methods.keys(), ...value.classMethods.keys()]) names.add(name);
  }
  return names;
}

function definedMethods(node: unknown): readonly string[] {
  if (typeof node !== 'object' || node === null) return [];
  if (Array.isArray(node)) return node.flatMap(definedMethods);
  const { kind, name } = node as { kind?: unknown; name?: unknown };
  const inner = Object.values(node).flatMap(definedMethods);
  return kind === 'def' && typeof name === 'string' ? [name, ...inner] : inner;
}

function compileNode(compiler: Compiler, node: RubyNode, scope: Scope): Run {
  switch (node.kind) {
    case 'variable':
      return variable(compiler, node, scope);
    case 'call':
      return call(compiler, node, scope);
    case 'assign':
      return assign(compiler, node, scope);
    case 'multipleAssign':
      return multipleAssign(compiler, node, scope);
    case 'sequence':
      return sequence(compiler, node, scope);
    case 'if':
      return condition(compiler, node, scope);
    case 'and':
    case 'or':
    case 'not':
    case 'defined':
      return logic(compiler, node, scope);
    case 'while':
      return whileLoop(compiler, node, scope);
    case 'for':
      return forLoop(compiler, node, scope);
    case 'case':
      return caseOf(compiler, node, scope);
    case 'begin':
      return begin(compiler, node, scope);
    case 'def':
      return definition(compiler, node);
    case 'lambda':
      return lambda(compiler, node.block, scope);
    case 'yield':
      return yieldCall(compiler, node, scope);
    case 'return':
    case 'next':
    case 'break':
      return jump(compiler, node, scope);
    case 'retry':
      return () => {
        throw new RetrySignal();
      };
    default:
      return literal(compiler, node, scope);
  }
}

function literal(compiler: Compiler, node: RubyNode, scope: Scope): Run {
  const { machine } = compiler;
  switch (node.kind) {
    case 'nil':
      return () => null;
    case 'true':
      return () => true;
    case 'false':
      return () => false;
    case 'self':
      return () => machine.self;
    case 'integer':
      return () => node.value;
    case 'float': {
      const value = float(node.value);
      return () => value;
    }
    case 'string':
      return () => new RubyString(node.value);
    case 'symbol': {
      const value = new RubySymbol(node.name);
      return () => value;
    }
    case 'symbolOf': {
      const text = compiler.compile(node.value, scope);
      return (frame) => new RubySymbol(toText(text(frame)));
    }
    case 'interpolation':
      return interpolation(compiler, node.parts, scope, (text) => new RubyString(text));
    case 'regex':
      return regex(compiler, node, scope);
    case 'array':
      return array(compiler, node.items, scope);
    case 'hash':
      return hash(compiler, node.pairs, scope);
    case 'range':
      return range(compiler, node, scope);
    case 'instanceVariable':
      return () => machine.self.variables.get(node.name) ?? null;
    case 'classVariable':
      return classVariable(compiler, node);
    case 'globalVariable':
      return globalVariable(compiler, node);
    case 'constant':
      return constant(compiler, node);
    default:
      throw refused(compiler, node, `${node.kind} in this place`);
  }
}

function variable(compiler: Compiler, node: NodeOf<'variable'>, scope: Scope): Run {
  const place = scope.find(node.name);
  if (place !== null) return readPlace(place);
  return call(
    compiler,
    { kind: 'call', at: node.at, receiver: null, name: node.name, args: [], block: null, isSafe: false },
    scope,
  );
}

function sequence(compiler: Compiler, node: NodeOf<'sequence'>, scope: Scope): Run {
  const runs = node.list.map((one) => compiler.compile(one, scope));
  return (frame) => {
    let value: Value = null;
    for (const run of runs) value = run(frame);
    return value;
  };
}

function logic(
  compiler: Compiler,
  node: NodeOf<'and'> | NodeOf<'or'> | NodeOf<'not'> | NodeOf<'defined'>,
  scope: Scope,
): Run {
  if (node.kind === 'not') {
    const value = compiler.compile(node.value, scope);
    return (frame) => !truthy(value(frame));
  }
  if (node.kind === 'defined') return defined(compiler, node.value, scope);
  const left = compiler.compile(node.left, scope);
  const right = compiler.compile(node.right, scope);
  if (node.kind === 'and') {
    return (frame) => {
      const value = left(frame);
      return truthy(value) ? right(frame) : value;
    };
  }
  return (frame) => {
    const value = left(frame);
    return truthy(value) ? value : right(frame);
  };
}

function defined(compiler: Compiler, node: RubyNode, scope: Scope): Run {
  const { machine } = compiler;
  const answer = (text: string): Value => new RubyString(text);
  if (node.kind === 'instanceVariable')
    return () => (machine.self.variables.has(node.name) ? answer('instance-variable') : null);
  if (node.kind === 'classVariable')
    return () => (machine.classVariables.has(node.name) ? answer('class variable') : null);
  if (node.kind === 'globalVariable') return () => (machine.globals.has(node.name) ? answer('global-variable') : null);
  if (node.kind === 'constant')
    return () => (machine.constants.has(node.name) || CONSTANTS.has(node.name) ? answer('constant') : null);
  const isName = node.kind === 'variable' || (node.kind === 'call' && node.receiver === null && node.args.length === 0);
  if (isName) {
    if (scope.find(node.name) !== null) return () => answer('local-variable');
    return () => (machine.functions.has(node.name) ? answer('method') : null);
  }
  const value = compiler.compile(node, scope);
  return (frame) => {
    try {
      value(frame);
      return answer(node.kind === 'call' ? 'method' : 'expression');
    } catch {
      // Whatever it raises: it is not defined.
      return null;
    }
  };
}

function interpolation(
  compiler: Compiler,
  parts: readonly (string | RubyNode)[],
  scope: Scope,
  make: (text: string) => Value,
): Run {
  const runs = parts.map((part) => (typeof part === 'string' ? part : compiler.compile(part, scope)));
  const { machine } = compiler;
  return (frame) => {
    let text = '';
    for (const run of runs) text += typeof run === 'string' ? run : toText(run(frame));
    machine.grow(text.length);
    return make(text);
  };
}

function regex(compiler: Compiler, node: NodeOf<'regex'>, scope: Scope): Run {
  const { machine } = compiler;
  if (/[^imxounse]/.test(node.flags)) throw refused(compiler, node, `the flag "${node.flags}"`);
  if (node.parts.every((part) => typeof part === 'string')) {
    const made = literalRegexp(compiler, node);
    return () => made;
  }
  const runs = node.parts.map((part) => (typeof part === 'string' ? part : compiler.compile(part, scope)));
  return (frame) => {
    const source = runs.map((run) => (typeof run === 'string' ? run : toText(run(frame)))).join('');
    return machine.regexp(source, node.flags);
  };
}

function literalRegexp(compiler: Compiler, node: NodeOf<'regex'>): RubyRegexp {
  try {
    return new RubyRegexp(node.parts.join(''), node.flags);
  } catch (error) {
    throw refused(compiler, node, `the pattern (${error instanceof Object && 'text' in error ? error.text : error})`);
  }
}

function range(compiler: Compiler, node: NodeOf<'range'>, scope: Scope): Run {
  const from = compiler.compile(node.from, scope);
  const to = node.to === null ? null : compiler.compile(node.to, scope);
  return (frame) => new RubyRange(from(frame), to?.(frame) ?? null, node.isExclusive);
}

function constant(compiler: Compiler, node: NodeOf<'constant'>): Run {
  const { machine, source } = compiler;
  const name = node.name.replace(/^(?:Java::|::)/, '');
  const value = CONSTANTS.get(name);
  const isSet = new RegExp(`(?<![\\w:.])${name}\\s*(?:\\|\\|)?=(?!=)`).test(source.text) || machine.constants.has(name);
  if (value === undefined && !isSet) throw refused(compiler, node, `the constant ${name}`);
  if (value !== undefined && !isSet) return () => value;
  return () => {
    const own = machine.constants.get(name) ?? value;
    if (own === undefined) throw exception('NameError', `uninitialized constant ${name}`);
    return own;
  };
}
