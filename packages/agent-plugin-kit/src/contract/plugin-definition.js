/**
 * What a plugin is: a name, its options as data, and a function that makes an instance of it.
 *
 * Options are declared, so that a configuration is checked before anything starts: unknown names, missing and wrong values
 * are errors with file, line and column, and a plugin's `create` gets only what its declaration allows. A plugin of a user
 * has exactly this shape too.
 */
export {};
