/** Clauses that one query may become: `indices.query.bool.max_clause_count`. */
export const CLAUSES_MAX = 4_096;
