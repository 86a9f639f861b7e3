/**
 * How a request wants index expressions to be read: `ignore_unavailable`, `allow_no_indices`, `expand_wildcards`.
 */
import { illegalArgument } from '@shoal/core';
import type { ParameterDeclarations, RequestParameters } from '@shoal/http';

export interface IndicesOptions {
  /** Missing (and, where they are forbidden, closed) indices that are named are passed over. */
  readonly ignoreUnavailable: boolean;
  /** An expression may resolve to nothing. */
  readonly allowNoIndices: boolean;
  /** Which indices wildcards find. */
  readonly expandsToOpen: boolean;
  readonly expandsToClosed: boolean;
  readonly expandsToHidden: boolean;
  /** A closed index that is named is an error. */
  readonly forbidsClosed: boolean;
}

/** Search, count and other reads. */
export const READ_INDICES_OPTIONS: IndicesOptions = {
  ignoreUnavailable: false,
  allowNoIndices: true,
  expandsToOpen: true,
  expandsToClosed: false,
  expandsToHidden: false,
  forbidsClosed: true,
};

/** APIs on metadata, which closed indices have too. */
export const METADATA_INDICES_OPTIONS: IndicesOptions = {
  ...READ_INDICES_OPTIONS,
  expandsToClosed: true,
  forbidsClosed: false,
};

export const INDICES_OPTIONS_PARAMETERS: ParameterDeclarations = {
  ignore_unavailable: 'boolean',
  allow_no_indices: 'boolean',
  expand_wildcards: 'list',
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
  };
}

type ExpandOptions = Pick<IndicesOptions, 'expandsToOpen' | 'expandsToClosed' | 'expandsToHidden'>;

function expandOptions(words: readonly string[]): ExpandOptions {
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
