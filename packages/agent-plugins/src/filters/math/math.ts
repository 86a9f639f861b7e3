/**
 * math: calculations with fields, literals and registers, one after the other; each may use what those before it gave.
 */
import { type LogEvent, parseFieldReference, Timestamp } from '@shoal/agent-event';
import { optionError, type PluginContext, type PluginDefinition } from '@shoal/agent-plugin-kit';
import { fieldValue, MATH_FUNCTIONS, type MathFunction, type Operand, operandOf } from './math-functions.ts';

/** Results of one event that are no fields. */
type Registers = Map<number, Operand>;

interface Element {
  readonly kind: 'field' | 'register' | 'literal';
  /** null: missing, or no number and no time. */
  get(event: LogEvent, registers: Registers): Operand | null;
  set(event: LogEvent, registers: Registers, value: Operand): void;
}

interface Calculation {
  readonly operation: MathFunction;
  readonly left: Element;
  readonly right: Element;
  readonly target: Element;
  readonly text: string;
}

export const mathFilter: PluginDefinition = {
  kind: 'filter',
  name: 'math',
  version: '1.1.0',
  isStateless: true,
  options: {
    /** Lists of a function, two operands and a target. */
    calculate: { type: 'array', isRequired: true },
  },
  create: (options, context) => {
    const calculations = calculationsOf(options.value('calculate'), context);
    return {
      filter: (event) => {
        const registers: Registers = new Map();
        let hasChanged = false;
        for (const calculation of calculations)
          if (calculate(calculation, event, registers, context)) hasChanged = true;
        return hasChanged ? 'matched' : 'unmatched';
      },
    };
  },
};

/** false where an operand is missing or the function has no result for them: the target stays as it is. */
function calculate(
  { operation, left, right, target, text }: Calculation,
  event: LogEvent,
  registers: Registers,
  { runtime, pluginId }: PluginContext,
): boolean {
  const first = left.get(event, registers);
  const second = right.get(event, registers);
  if (first === null || second === null) return false;
  const refusal = operation.refusal(first, second);
  if (refusal === null) target.set(event, registers, operation.call(first, second));
  else runtime.log.warn('a calculation is left out', { plugin: pluginId, calculation: text, reason: refusal });
  return refusal === null;
}

function calculationsOf(value: unknown, context: PluginContext): readonly Calculation[] {
  const lists: readonly unknown[] = Array.isArray(value) ? value : [];
  // A single calculation may stand without a list around it.
  const calculations = (typeof lists[0] === 'string' ? [lists] : lists).map((list) => calculationOf(list, context));
  if (calculations.at(-1)?.target.kind === 'register')
    throw optionError('math: the last target is a register, so that no result is in the event');
  return calculations;
}

function calculationOf(value: unknown, context: PluginContext): Calculation {
  const parts: readonly unknown[] = Array.isArray(value) ? value : [value];
  const text = parts.map(String).join(', ');
  if (parts.length !== 4)
    throw optionError(
      `math: a calculation has a function, two operands and a target, 4 values; [${text}] has ${parts.length}`,
    );
  const [name, left, right, target] = parts;
  const operation = MATH_FUNCTIONS.get(String(name));
  if (operation === undefined)
    throw optionError(`math: [${String(name)}] is none of the functions ${[...MATH_FUNCTIONS.keys()].join(', ')}`);
  if (typeof target !== 'string') throw optionError(`math: the target of [${text}] is no field`);
  const calculation = {
    operation,
    left: elementOf(left, context),
    right: elementOf(right, context),
    target: elementOf(target, context),
    text,
  };
  checkLiterals(calculation, left, right);
  return calculation;
}

/** What a literal rules out is told at the start, not with every event. */
function checkLiterals({ operation, text }: Calculation, left: unknown, right: unknown): void {
  const second = operandOf(right);
  const refusal = second === null ? null : operation.refusal(operandOf(left) ?? 1n, second);
  if (refusal !== null) throw optionError(`math: [${text}] cannot be calculated: ${refusal}`);
}

function elementOf(value: unknown, context: PluginContext): Element {
  const literal = operandOf(value);
  if (literal !== null) return { kind: 'literal', get: () => literal, set: () => undefined };
  if (typeof value !== 'string') throw optionError(`math: [${String(value)}] is no field, number or register`);
  const register = /^MEM\[(\d+)\]$/.exec(value)?.[1];
  if (register !== undefined) {
    const index = Number(register);
    return {
      kind: 'register',
      get: (_event, registers) => registers.get(index) ?? null,
      set: (_event, registers, result) => void registers.set(index, result),
    };
  }
  const reference = parseFieldReference(value, context.escapeStyle);
  return {
    kind: 'field',
    get: (event) => {
      const found = event.get(reference);
      return found instanceof Timestamp ? { float: found.epochMs / 1000 } : operandOf(found);
    },
    set: (event, _registers, result) => event.set(reference, fieldValue(result)),
  };
}
