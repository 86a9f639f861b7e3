/**
 * Exceptions of scripts, those that a script throws and those that its operations throw. They end it unless it catches them.
 */

export class JavaException extends Error {
  readonly javaClass: string;
  readonly text: string | null;

  constructor(javaClass: string, text: string | null) {
    super(text ?? javaClass);
    this.javaClass = javaClass;
    this.text = text;
  }

  /** Name of its class as errors of Elasticsearch show it: `null_pointer_exception`. */
  get snakeName(): string {
    const simple = this.javaClass.slice(this.javaClass.lastIndexOf('.') + 1);
    return simple.replace(/(?<=[a-z0-9])(?=[A-Z])/g, '_').toLowerCase();
  }
}

export function illegalArgumentException(text: string): JavaException {
  return new JavaException('java.lang.IllegalArgumentException', text);
}

export function classCast(text: string): JavaException {
  return new JavaException('java.lang.ClassCastException', text);
}

/** A method, field or item of null was asked for where the type is not known beforehand. */
export function nullReceiver(): JavaException {
  return new JavaException(
    'java.lang.NullPointerException',
    'Cannot invoke "Object.getClass()" because "callArgs[0]" is null',
  );
}

export function nullPointer(text: string | null = null): JavaException {
  return new JavaException('java.lang.NullPointerException', text);
}

export function indexOutOfBounds(text: string): JavaException {
  return new JavaException('java.lang.IndexOutOfBoundsException', text);
}

export function arrayIndexOutOfBounds(text: string): JavaException {
  return new JavaException('java.lang.ArrayIndexOutOfBoundsException', text);
}

export function noSuchElement(text: string): JavaException {
  return new JavaException('java.util.NoSuchElementException', text);
}

/** A limit of scripts was reached; nothing catches it. */
export function painlessError(text: string): JavaException {
  return new JavaException('org.elasticsearch.painless.PainlessError', text);
}
