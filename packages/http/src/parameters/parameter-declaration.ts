/**
 * Declarations of the parameters of a route: their names and types.
 */

/** A list names the words allowed. `list` is comma-separated; `time` is a duration such as `30s`; `long` a safe integer. */
export type ParameterType = 'boolean' | 'integer' | 'long' | 'number' | 'time' | 'string' | 'list' | readonly string[];

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
