/**
 * Well-known text, and what Elasticsearch adds to it: `BBOX` and `CIRCLE`.
 */
import { illegalArgument, javaDoubleText } from '@shoal/core';
import { parseError } from '../parse-point.ts';
import {
  COLLECTION_DEPTH_MAX,
  checkedEnvelope,
  checkedRing,
  type Geometry,
  type GeometryReading,
  POSITIONS_MAX,
  type Position,
  tooDeepCollection,
  tooManyPositions,
} from './geometry.ts';

/** Words, parentheses and commas; any other character by itself. A comment goes from `#` to the end of its line. */
const TOKEN = /[a-zA-Z0-9\-+.\u00a0-\u00ff]+|[(),]|#[^\r\n]*|[ \t\r\n]+|./gsu;
const WORD = /^[a-zA-Z0-9\-+.\u00a0-\u00ff]/;
const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?[dDfF]?$/;

/** A geometry of a text. What stands behind it is left out. @throws ShoalError `parse_exception` or `illegal_argument_exception` */
export function parseWellKnownText(text: string, reading: GeometryReading): Geometry {
  const reader = new TextReader(text, reading);
  const geometry = reader.geometry(0);
  reader.end();
  return geometry;
}

class TextReader {
  private readonly tokens: Generator<string, void>;
  private readonly reading: GeometryReading;
  private current = '';
  private isBack = false;
  private positions = 0;

  constructor(text: string, reading: GeometryReading) {
    this.tokens = tokensOf(text);
    this.reading = reading;
  }

  geometry(depth: number): Geometry {
    const type = this.word().toLowerCase();
    switch (type) {
      case 'point':
        return this.point();
      case 'multipoint':
        return {
          kind: 'MultiPoint',
          points: this.isEmpty() ? [] : this.rest(this.reading.refusals.takesInnerParentheses),
        };
      case 'linestring':
        return { kind: 'LineString', points: this.line() };
      case 'multilinestring':
        return { kind: 'MultiLineString', lines: this.list(() => this.line()) };
      case 'polygon':
        return { kind: 'Polygon', rings: this.rings() };
      case 'multipolygon':
        return { kind: 'MultiPolygon', polygons: this.list(() => this.rings()) };
      case 'geometrycollection':
        if (depth + 1 >= COLLECTION_DEPTH_MAX) throw tooDeepCollection();
        return { kind: 'GeometryCollection', geometries: this.list(() => this.geometry(depth + 1)) };
      case 'bbox':
        return this.box();
      case 'circle':
        if (!this.reading.refusals.takesCircleText) throw illegalArgument('Unknown geometry type: circle');
        return this.circle();
      default:
        throw this.reading.refusals.unknownText(this.current);
    }
  }

  /** Looks at what stands behind the geometry. */
  end(): void {
    const token = this.next();
    const refusal = token === '' ? null : this.reading.refusals.textBehind(token);
    if (refusal !== null) throw refusal;
  }

  private point(): Geometry {
    if (this.isEmpty()) return { kind: 'Point', at: null };
    const at = this.position();
    this.expect(')');
    return { kind: 'Point', at };
  }

  private line(): readonly Position[] {
    if (this.isEmpty()) return [];
    const points = this.rest();
    if (points.length < 2) throw this.reading.refusals.shortTextLine(points.length);
    return points;
  }

  private rings(): readonly (readonly Position[])[] {
    return this.list(() => {
      this.expect('(');
      const points = this.rest();
      if (points.length < 2) throw this.reading.refusals.shortTextLine(points.length);
      return checkedRing(points, this.reading);
    });
  }

  private box(): Geometry {
    if (this.isEmpty()) return { kind: 'GeometryCollection', geometries: [] };
    const west = this.number();
    this.expect(',');
    const east = this.number();
    this.expect(',');
    const north = this.number();
    this.expect(',');
    const south = this.number();
    this.expect(')');
    return checkedEnvelope(west, east, north, south);
  }

  private circle(): Geometry {
    if (this.isEmpty()) return { kind: 'GeometryCollection', geometries: [] };
    const x = this.number();
    const y = this.number();
    const radius = this.number();
    const z = this.isWordNext() ? this.number() : undefined;
    this.expect(')');
    if (radius < 0) throw illegalArgument(`Circle radius [${javaDoubleText(radius)}] cannot be negative`);
    return { kind: 'Circle', centre: z === undefined ? [x, y] : [x, y, z], radius };
  }

  /** Items between parentheses; none where the text says EMPTY. */
  private list<T>(item: () => T): readonly T[] {
    if (this.isEmpty()) return [];
    const items = [item()];
    while (this.isComma()) items.push(item());
    return items;
  }

  /** Positions up to the closing parenthesis. */
  private rest(takesParentheses = false): readonly Position[] {
    const read = (): Position => (takesParentheses ? this.enclosedPosition() : this.position());
    const points = [read()];
    while (this.isComma()) points.push(read());
    const dimensions = points[0]?.length;
    if (points.some((point) => point.length !== dimensions)) {
      throw parseError(`coordinate dimensions do not match: ${this.current}`);
    }
    return points;
  }

  private enclosedPosition(): Position {
    const isEnclosed = this.next() === '(';
    if (!isEnclosed) this.isBack = true;
    const position = this.position();
    if (isEnclosed) this.expect(')');
    return position;
  }

  private position(): Position {
    if (++this.positions > POSITIONS_MAX) throw tooManyPositions();
    const x = this.number();
    const y = this.number();
    const position: Position = this.isWordNext() ? [x, y, this.number()] : [x, y];
    return position;
  }

  private number(): number {
    const token = this.next();
    if (!WORD.test(token)) throw parseError(`expected number but found: ${shown(token)}`);
    if (token.toLowerCase() === 'nan') return Number.NaN;
    if (!NUMBER.test(token)) throw parseError(`invalid number found: ${token}`);
    return Number.parseFloat(token);
  }

  /** A word, a parenthesis or a comma. */
  private word(): string {
    const token = this.next();
    if (WORD.test(token) || token === '(' || token === ')' || token === ',') return token;
    throw parseError(`expected word but found: ${shown(token)}`);
  }

  private isEmpty(): boolean {
    const token = this.word();
    if (token.toUpperCase() === 'EMPTY') return true;
    if (token === '(') return false;
    throw parseError(`expected EMPTY or ( but found: ${shown(token)}`);
  }

  private isComma(): boolean {
    const token = this.word();
    if (token === ',' || token === ')') return token === ',';
    throw parseError(`expected , or ) but found: ${shown(token)}`);
  }

  private expect(wanted: string): void {
    const token = this.word();
    if (token !== wanted) throw parseError(`expected ${wanted} but found: ${shown(token)}`);
  }

  private isWordNext(): boolean {
    const isWord = WORD.test(this.next());
    this.isBack = true;
    return isWord;
  }

  private next(): string {
    if (!this.isBack) this.current = this.tokens.next().value ?? '';
    this.isBack = false;
    return this.current;
  }
}

function* tokensOf(text: string): Generator<string, void> {
  for (const [token] of text.matchAll(TOKEN)) if (!/^[ \t\r\n#]/.test(token)) yield token;
}

function shown(token: string): string {
  if (token === '') return 'END-OF-STREAM';
  return WORD.test(token) ? token : `'${token}'`;
}
