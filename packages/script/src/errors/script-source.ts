/**
 * Text of a script, with the name of its language, as errors show it.
 */
export interface ScriptSource {
  readonly lang: string;
  readonly text: string;
}
