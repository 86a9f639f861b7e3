/** The part of the Snowball library that is used; it ships no types. */
declare module 'snowball-stemmers' {
  const library: { newStemmer(language: string): { stem(word: string): string } };
  // biome-ignore lint/style/noDefaultExport: the library is CommonJS and has no other export
  export default library;
}
