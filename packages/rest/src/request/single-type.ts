/**
 * The one type that documents have: clients of version 7 name it in paths, action lines and mappings.
 */
export const SINGLE_TYPE = '_doc';
