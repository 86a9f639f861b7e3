/**
 * Declarations of the parameters of a route: their names and types.
 */

/** `list` is comma-separated; `time` is a duration such as `30s`; `long` a safe integer. */
type PlainType = 'boolean' | 'integer' | 'long' | 'number' | 'time' | 'string' | 'list';

/** Checked and left alone: no answer depends on it, for the reason given. */
interface TypeWithoutEffect {
  readonly type: PlainType;
  readonly because: string;
}

/** A list names the words allowed. */
export type ParameterType = PlainType | readonly string[] | TypeWithoutEffect;

export type ParameterDeclarations = Readonly<Record<string, ParameterType>>;

/** Parameters that every route takes. */
export const COMMON_PARAMETERS: ParameterDeclarations = {
  pretty: 'boolean',
  human: 'boolean',
  error_trace: 'boolean',
  format: 'string',
  filter_path: 'list',
};

/** Parameters of routes with a body: the body may stand in the query, for clients that cannot send one with GET. */
export const BODY_PARAMETERS: ParameterDeclarations = { source: 'string', source_content_type: 'string' };

/** Type of a parameter that clients send and no answer depends on. The house test finds the reader of every other one. */
export function withoutEffect(type: PlainType, because: string): ParameterType {
  return { type, because };
}
