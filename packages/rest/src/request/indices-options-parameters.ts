/**
 * URI parameters that say how a request wants index expressions to be read.
 */
import type { IndicesOptions } from '@shoal/coordinator';
import { illegalArgument } from '@shoal/core';
import { type ParameterDeclarations, type RequestParameters, withoutEffect } from '@shoal/http';

export const INDICES_OPTIONS_PARAMETERS: ParameterDeclarations = {
  ignore_unavailable: 'boolean',
  allow_no_indices: 'boolean',
  expand_wildcards: 'list',
  ignore_throttled: withoutEffect('boolean', 'no index is frozen'),
};

/** The options of a request whose route declares `INDICES_OPTIONS_PARAMETERS`. */
export function indicesOptionsOf(params: RequestParameters, defaults: IndicesOptions): IndicesOptions {
  const expand = params.has('expand_wildcards') ? expandOptions(params.list('expand_wildcards')) : defaults;
  return {
    expandsToOpen: expand.expandsToOpen,
    expandsToClosed: expand.expandsToClosed,
    expandsToHidden: expand.expandsToHidden,
    ignoreUnavailable: params.boolean('ignore_unavailable', defaults.ignoreUnavailable),
    allowNoIndices: params.boolean('allow_no_indices', defaults.allowNoIndices),
    forbidsClosed: defaults.forbidsClosed,
    includesDataStreams: defaults.includesDataStreams,
    includesFailures: defaults.includesFailures,
    allowsSelectors: defaults.allowsSelectors,
  };
}

type ExpandOptions = Pick<IndicesOptions, 'expandsToOpen' | 'expandsToClosed' | 'expandsToHidden'>;

/** What `expand_wildcards` says; nothing without a word. @throws as `expandOptions` does */
export function givenExpansion(words: readonly string[]): Partial<ExpandOptions> {
  return words.length === 0 ? {} : expandOptions(words);
}

/** @throws illegal_argument_exception for a word that is none */
export function expandOptions(words: readonly string[]): ExpandOptions {
  let options: ExpandOptions = { expandsToOpen: false, expandsToClosed: false, expandsToHidden: false };
  for (const word of words) {
    switch (word) {
      case 'open':
        options = { ...options, expandsToOpen: true };
        break;
      case 'closed':
        options = { ...options, expandsToClosed: true };
        break;
      case 'hidden':
        options = { ...options, expandsToHidden: true };
        break;
      case 'all':
        options = { expandsToOpen: true, expandsToClosed: true, expandsToHidden: true };
        break;
      case 'none':
        options = { expandsToOpen: false, expandsToClosed: false, expandsToHidden: false };
        break;
      default:
        throw illegalArgument(`No valid expand wildcard value [${word}]`);
    }
  }
  return options;
}
