/**
 * Options of `npm run sim`. What says nothing in a mode is refused there, so that nobody takes a run for another one.
 */
import { readFileSync } from 'node:fs';
import { type ParseArgsConfig, parseArgs } from 'node:util';
import type { LifeSpan } from './drawn-long-plan.test-support.ts';
import type { LifePlan } from './life-plan.test-support.ts';

const HOURS_DEFAULT = 1;
const WORKERS_MAX = 256;

export const SIM_HELP: string = `npm run sim -- [OPTIONS]: whole clusters under virtual time, with faults drawn from seeds

Lives of consecutive seeds (one life in a hundred is lived twice, and must go the same way):
  --from N       first seed (1)
  --hours H      until so many hours are simulated (${HOURS_DEFAULT})
  --lives N      so many lives instead
  --workers N    processes that live at the same time (one for each processor)
  --long         lives of hours to days each, with seeds of their own
Lives of one plan:
  --seed N       the life of that seed; with --long, the long one
  --plan FILE    a plan that was printed; may be given several times
For both:
  --trace        prints all that nodes, clients and faults log; one worker
  --shrink       looks for the smallest plan that fails in the same way
Lives without a rule of the replication, of which one must fail:
  --mutants TEXT the rules whose name has the text, one after the other
  --quick        only those that few lives show
  --lives N      lives for each rule

Ends with 1 when something did not hold, or when the loss of a rule did not show; with 2 when an option is wrong.`;

export interface RangeOptions {
  readonly from: number;
  readonly hours: number;
  /** Lives that are lived; null: as many as the hours take. */
  readonly lives: number | null;
  readonly workers: number;
  readonly span: LifeSpan;
}

export interface MutantOptions {
  /** Part of the names of the rules that are taken out. */
  readonly wanted: string;
  /** Only those that few lives show. */
  readonly quick: boolean;
  /** Lives for each rule; null: as many as the rule says. */
  readonly lives: number | null;
}

export type SimMode =
  | { readonly kind: 'help' }
  | { readonly kind: 'mutants'; readonly options: MutantOptions }
  | { readonly kind: 'plans'; readonly plans: readonly LifePlan[] }
  | { readonly kind: 'seed'; readonly seed: number; readonly span: LifeSpan }
  | { readonly kind: 'range'; readonly range: RangeOptions };

export interface SimOptions {
  readonly mode: SimMode;
  readonly trace: boolean;
  readonly shrink: boolean;
}

/** An option that does not exist, does not fit its mode, or has a wrong value; the message is one line. */
export class WrongOption extends Error {
  override readonly name = 'WrongOption';
}

const OPTIONS = {
  help: { type: 'boolean', short: 'h' },
  mutants: { type: 'string' },
  quick: { type: 'boolean' },
  plan: { type: 'string', multiple: true },
  seed: { type: 'string' },
  from: { type: 'string' },
  hours: { type: 'string' },
  lives: { type: 'string' },
  workers: { type: 'string' },
  long: { type: 'boolean' },
  trace: { type: 'boolean' },
  shrink: { type: 'boolean' },
} as const satisfies ParseArgsConfig['options'];

type Name = keyof typeof OPTIONS;
type Values = ReturnType<typeof parsed>;

/** Options that mean something beside the first one, which says the mode. */
const BESIDE: Readonly<Record<'mutants' | 'plan' | 'seed', readonly Name[]>> = {
  mutants: ['quick', 'lives'],
  plan: ['trace', 'shrink'],
  seed: ['trace', 'shrink', 'long'],
};
const OF_RANGE: readonly Name[] = ['from', 'hours', 'lives', 'workers', 'long', 'trace', 'shrink'];

/** @throws WrongOption */
export function readSimOptions(args: readonly string[], processors: number): SimOptions {
  const values = parsed(args);
  return { mode: modeOf(values, processors), trace: values.trace === true, shrink: values.shrink === true };
}

function modeOf(values: Values, processors: number): SimMode {
  if (values.help === true) return { kind: 'help' };
  const given = Object.keys(values) as Name[];
  const mode = (['mutants', 'plan', 'seed'] as const).find((name) => given.includes(name));
  const allowed = mode === undefined ? OF_RANGE : [mode, ...BESIDE[mode]];
  const stray = given.find((name) => !allowed.includes(name));
  if (stray !== undefined) {
    throw new WrongOption(mode === undefined ? `--${stray} needs --mutants` : `--${stray} does not go with --${mode}`);
  }
  const lives = values.lives === undefined ? null : count(values.lives, 'lives');
  const span = values.long === true ? 'long' : 'usual';
  if (values.mutants !== undefined) {
    return { kind: 'mutants', options: { wanted: values.mutants, quick: values.quick === true, lives } };
  }
  if (values.plan !== undefined) return { kind: 'plans', plans: values.plan.map(planIn) };
  if (values.seed !== undefined) return { kind: 'seed', seed: count(values.seed, 'seed'), span };
  return { kind: 'range', range: { ...rangeOf(values, lives, processors), span } };
}

function rangeOf(values: Values, lives: number | null, processors: number): Omit<RangeOptions, 'span'> {
  if (lives !== null && values.hours !== undefined) throw new WrongOption('--hours does not go with --lives');
  const wanted = values.workers === undefined ? processors : count(values.workers, 'workers');
  if (wanted < 1 || wanted > WORKERS_MAX) throw new WrongOption(`--workers is a number from 1 to ${WORKERS_MAX}`);
  if (values.trace === true && values.workers !== undefined && wanted > 1) {
    throw new WrongOption('--trace prints the lines of one life after the other, and takes one worker');
  }
  return {
    from: values.from === undefined ? 1 : count(values.from, 'from'),
    hours: values.hours === undefined ? HOURS_DEFAULT : numberOf(values.hours, 'hours'),
    lives,
    workers: values.trace === true ? 1 : wanted,
  };
}

function parsed(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: OPTIONS }).values;
  } catch (error) {
    // The second sentence says how to write an option that has no name.
    throw new WrongOption(String((error as Error).message).split('. ')[0]);
  }
}

function planIn(path: string): LifePlan {
  try {
    // Printed by this command before.
    return JSON.parse(readFileSync(path, 'utf8')) as LifePlan;
  } catch (error) {
    throw new WrongOption(`--plan ${path} is no plan: ${(error as Error).message.split('\n')[0]}`);
  }
}

function count(text: string, option: Name): number {
  const value = numberOf(text, option);
  if (!Number.isSafeInteger(value)) throw new WrongOption(`--${option} is a whole number, and not [${text}]`);
  return value;
}

function numberOf(text: string, option: Name): number {
  const value = Number(text);
  if (text.trim() === '' || !Number.isFinite(value) || value < 0) {
    throw new WrongOption(`--${option} is a number, and not [${text}]`);
  }
  return value;
}
