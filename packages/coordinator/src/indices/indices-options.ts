/**
 * How a request wants index expressions to be read: `ignore_unavailable`, `allow_no_indices`, `expand_wildcards`.
 */
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
  /** Names and wildcards mean data streams too: their backing indices. */
  readonly includesDataStreams: boolean;
  /** A data stream means its failure indices too, where no selector says which it means. */
  readonly includesFailures: boolean;
  /** Names may end in `::data` and `::failures`; false: one is an error. */
  readonly allowsSelectors: boolean;
}

/** Search, count and other reads. */
export const READ_INDICES_OPTIONS: IndicesOptions = {
  ignoreUnavailable: false,
  allowNoIndices: true,
  expandsToOpen: true,
  expandsToClosed: false,
  expandsToHidden: false,
  forbidsClosed: true,
  includesDataStreams: true,
  includesFailures: false,
  allowsSelectors: true,
};

/** APIs on metadata, which closed indices have too. */
export const METADATA_INDICES_OPTIONS: IndicesOptions = {
  ...READ_INDICES_OPTIONS,
  expandsToClosed: true,
  forbidsClosed: false,
};
