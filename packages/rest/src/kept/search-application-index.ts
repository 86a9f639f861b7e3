/** Hidden index of the search applications, a document each. */
export const APPLICATIONS_INDEX = '.search-app';
