/** Another name of an index, with what it says of reads and writes through it. */
export interface AliasMetadata {
  readonly name: string;
  /** Query JSON; null without one. */
  readonly filter: Readonly<Record<string, unknown>> | null;
  readonly indexRouting: string | null;
  readonly searchRouting: string | null;
  readonly isWriteIndex: boolean | null;
  readonly isHidden: boolean | null;
}
