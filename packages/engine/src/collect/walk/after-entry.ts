/**
 * Entry behind which a page begins: the last one that earlier pages have shown.
 */
import type { QueryValue } from '@shoal/query';

/** Behind which entry of the reader a search begins. */
export interface AfterEntry {
  /** One a sort key; the score without any. */
  readonly values: readonly QueryValue[];
  readonly ord: number;
}
