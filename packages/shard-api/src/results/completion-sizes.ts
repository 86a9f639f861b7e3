/** Prefix of a field's name among the statistics of a shard: the bytes that its completions take. */
export const COMPLETION_OF = 'completion:';

/** Most fields of a shard whose completions are told one by one. */
export const COMPLETION_FIELDS_MAX = 1_000;
