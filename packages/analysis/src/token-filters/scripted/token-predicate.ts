/**
 * Option `script` of the token filters `condition` and `predicate_token_filter`: a script that looks at each token.
 */
import { illegalArgument } from '@shoal/core';
import { ANALYSIS_CONTEXT, programOf, ScriptToken } from '@shoal/script';
import type { ComponentOptions } from '../../tokens/component-options.ts';
import type { Token } from '../../tokens/token.ts';

/** Names of the option's members. The parameters of a script are none of this context: it cannot see them. */
export const SCRIPT_OPTIONS: readonly string[] = ['script.source', 'script.id', 'script.lang'];

/** Makes a test for the tokens of one text, to be called with each of them in order. */
export type TokenPredicate = () => (token: Token) => boolean;

/** @throws ShoalError script_exception for one that does not compile, illegal_argument_exception for what is no script */
export function readTokenPredicate(options: ComponentOptions, filter: string): TokenPredicate {
  const { 'script.source': source, 'script.id': id, 'script.lang': lang = 'painless' } = options;
  if (source === undefined && id === undefined) {
    throw illegalArgument('must specify either [source] for an inline script or [id] for a stored script');
  }
  if (source === undefined) throw illegalArgument(`Cannot use stored scripts in tokenfilter [${filter}]`);
  const program = programOf({ lang, source, id: null, params: '{}' }, ANALYSIS_CONTEXT);
  return () => {
    let position = -1;
    return (token) => {
      position += token.increment;
      const { term, increment, positionLength, start, end, type, isKeyword } = token;
      const values = { term, position, positionIncrement: increment, positionLength, type, isKeyword };
      return program.run([new ScriptToken({ ...values, startOffset: start, endOffset: end })]) === true;
    };
  };
}
