/**
 * The selector behind a name in an index expression: `logs::failures` means the failure indices of a data stream, `logs::data`, as
 * `logs` alone, its backing indices.
 */
import { STREAM_COMPONENTS, type StreamComponent } from '@shoal/cluster-state';
import { ShoalError } from '@shoal/core';
import type { IndicesOptions } from './indices-options.ts';

const SEPARATOR = '::';

export interface SelectedName {
  readonly name: string;
  readonly component: StreamComponent;
}

/**
 * @param options of the request; without selectors one is refused
 * @throws invalid_index_name_exception for a selector that is none, unsupported_selector_exception where none may stand
 */
export function splitSelector(expression: string, options: Pick<IndicesOptions, 'allowsSelectors'>): SelectedName {
  const at = expression.lastIndexOf(SEPARATOR);
  if (at < 0) return { name: expression, component: 'data' };
  const suffix = expression.slice(at + SEPARATOR.length);
  const name = expression.slice(0, at);
  const component = STREAM_COMPONENTS.find((known) => known === suffix);
  if (component === undefined) {
    throw invalid(expression, `invalid usage of :: separator, [${suffix}] is not a recognized selector`);
  }
  if (name.includes(SEPARATOR)) {
    throw invalid(expression, 'Invalid usage of :: separator, only one :: separator is allowed per expression');
  }
  if (!options.allowsSelectors) throw unsupported(expression);
  return { name, component };
}

/** Names that mean one index, to read a document of or to write to, have none. @throws as `splitSelector` does */
export function refuseSelector(name: string): void {
  splitSelector(name, { allowsSelectors: false });
}

/** How an expression names one of the lists of a data stream. */
export function withSelector({ name, component }: SelectedName): string {
  return component === 'data' ? name : `${name}${SEPARATOR}${component}`;
}

function invalid(expression: string, why: string): ShoalError {
  return new ShoalError('invalid_index_name_exception', 400, `Invalid index name [${expression}], ${why}`, {
    metadata: { index: expression, index_uuid: '_na_' },
  });
}

function unsupported(expression: string): ShoalError {
  return new ShoalError(
    'unsupported_selector_exception',
    400,
    `Index component selectors are not supported in this context but found selector in expression [${expression}]`,
  );
}
