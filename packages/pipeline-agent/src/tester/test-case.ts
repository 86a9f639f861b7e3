/**
 * A file of pipeline tests as it was read and checked: what to run, what goes in, what must come out.
 */
import type { Position } from '@shoal/agent-config';
import type { EventMap, FieldReference } from '@shoal/agent-event';

export interface TestFile {
  /** Path from the command line. */
  readonly file: string;
  readonly pipeline: TestedPipeline;
  /** `${NAME}` in the configuration; those of the process below them. */
  readonly environment: Readonly<Record<string, string>>;
  /** Settings of the agent, by their names. */
  readonly settings: Readonly<Record<string, string>>;
  readonly cases: readonly TestCase[];
}

export type TestedPipeline =
  /** Path like that of `path.config`, from the folder of the test file. */
  | { readonly kind: 'path'; readonly path: string; readonly position: Position }
  /** Written in the test file; `firstLine` is where its text begins there. */
  | { readonly kind: 'text'; readonly text: string; readonly firstLine: number; readonly position: Position };

export interface TestCase {
  readonly name: string;
  readonly position: Position;
  readonly environment: Readonly<Record<string, string>>;
  /** The clock stands at this time, in milliseconds since 1970; null: the machine's clock. */
  readonly nowMs: number | null;
  /** Id or name of the input whose codec and fields lines get; null: the first one. */
  readonly inputId: string | null;
  readonly input: readonly InputItem[];
  readonly expected: readonly ExpectedEvent[];
}

export type InputItem =
  /** Bytes of a stream: cut and decoded by the input's codec. */
  | { readonly kind: 'text'; readonly text: string }
  /** An event as it leaves an input. `@metadata` is among the fields. */
  | { readonly kind: 'event'; readonly fields: EventMap };

export interface ExpectedEvent {
  readonly position: Position;
  /** `exact`: the event has no other fields, `@timestamp` and `@version` apart. */
  readonly match: 'partial' | 'exact';
  readonly fields: readonly ExpectedField[];
  readonly absent: readonly FieldReference[];
  /** All tags of the event, in any order; null: not looked at. */
  readonly tags: readonly string[] | null;
}

export interface ExpectedField {
  readonly reference: FieldReference;
  readonly value: ExpectedValue;
  readonly position: Position;
}

export type ExpectedValue =
  | { readonly kind: 'scalar'; readonly value: string | number | bigint | boolean | null }
  /** Found somewhere in the value's text. */
  | { readonly kind: 'regex'; readonly regex: RegExp; readonly source: string }
  | { readonly kind: 'list'; readonly items: readonly ExpectedValue[] }
  | { readonly kind: 'map'; readonly entries: ReadonlyMap<string, ExpectedValue> };
