/**
 * What is wrong with a template: callers say it as the error of their users.
 */
export class MustacheError extends Error {
  /** The template names another one, and there are no others. */
  readonly isMissingTemplate: boolean;

  constructor(reason: string, isMissingTemplate = false) {
    super(reason);
    this.isMissingTemplate = isMissingTemplate;
  }
}
