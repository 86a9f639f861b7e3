/**
 * Actions of bulk lines, which documents to load and faults of items both look for.
 */
export const BULK_ACTIONS = ['index', 'create', 'update', 'delete'] as const;

export type BulkAction = (typeof BULK_ACTIONS)[number];
