/** `import()` for the joined scripts, which have none where V8 takes them in compiled. Names and addresses are seen from this folder, as theirs are. */
module.exports = (/** @type {string} */ specifier) => import(specifier);
