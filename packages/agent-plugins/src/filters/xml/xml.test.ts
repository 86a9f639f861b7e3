import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { runFilter } from '../filter-outcome.test-support.ts';
import { mendedXml } from './mended-xml.ts';
import { xmlFilter } from './xml.ts';

const NAME = fc.constantFrom('a', 'b', 'c');
const { xmlText } = fc.letrec<{ xmlText: string }>((tie) => ({
  xmlText: fc.oneof(
    { depthSize: 'small' },
    NAME.map((name) => `<${name} x="1"/>`),
    fc
      .tuple(
        NAME,
        fc.array(fc.oneof(tie('xmlText'), fc.constantFrom('t', '<!--<a>-->', '<![CDATA[</b>]]>')), { maxLength: 3 }),
      )
      .map(([name, inner]) => `<${name} y='>'>${inner.join('')}</${name}>`),
  ),
}));

type Fields = Record<string, unknown>;

describe('the xml filter', () => {
  const xml = (m: string, options: Fields) => runFilter(xmlFilter, { source: 'm', ...options }, { m });
  test('attributes are keys, text is content, children are arrays', async () => {
    const { event } = await xml('<r a="1"><b>x</b><b c="2">y</b></r>', { target: 't' });
    expect(event.t).toEqual({ a: '1', b: ['x', { c: '2', content: 'y' }] });
    expect((await xml('<r><b>x</b></r>', { target: 't', force_array: false })).event.t).toEqual({ b: 'x' });
  });
  test.each([
    ['<r a="1"><b/></r>', {}, { a: '1', b: [null] }],
    ['<r><b/><c> </c></r>', {}, null],
    ['<r><b/><c> </c></r>', { suppress_empty: false }, { b: [{}], c: [{}] }],
    ['<r>x</r>', {}, 'x'],
    ['<r>x</r>', { force_content: true }, { content: 'x' }],
    ['<r> <b>1</b> y &amp; z <c>2</c></r>', {}, { b: ['1'], c: ['2'], content: [' ', ' y &amp; z '] }],
    ['<r>x<b>1</b></r>', { force_array: false }, { b: '1', content: 'x' }],
    ['<r><b a="1"> </b><d><![CDATA[<x>]]></d></r>', {}, { b: [{ a: '1', content: ' ' }], d: ['<x>'] }],
    ['<h:r xmlns:h="urn:x"><h:b h:c="1"/></h:r>', {}, { 'xmlns:h': 'urn:x', b: [{ 'h:c': '1' }] }],
    ['<r a="1"><a>2</a></r>', {}, { a: ['1', '2'] }],
  ])('%s with %j', async (text, options, expected) => {
    expect((await xml(text, { target: 't', ...options })).event.t).toEqual(expected);
  });
  test('paths are read from what can be mended, though it is refused as a whole', async () => {
    const options = { target: 't', xpath: { '//b/text()': 'b' }, remove_namespaces: true };
    expect((await xml('<r><b a=1>x</b></r>', options)).event).toEqual({
      m: '<r><b a=1>x</b></r>',
      b: ['x'],
      tags: ['_xmlparsefailure'],
    });
    const named = await xml('<r xmlns:h="urn:x"><h:b>x</h:b></r>', options);
    expect(named.event).toMatchObject({ b: ['x'], t: { 'xmlns:h': 'urn:x', b: ['x'] } });
  });
  test('XPath gives arrays of texts', async () => {
    const options = { store_xml: false, xpath: { '/r/b/text()': 'b', '/r/@a': 'a', 'count(//b)': 'n' } };
    expect((await xml('<r a="1"><b>x</b><b>y</b></r>', options)).event).toMatchObject({
      b: ['x', 'y'],
      a: ['1'],
      n: ['2'],
    });
    const single = { ...options, force_array: false };
    expect((await xml('<r a="1"><b>x</b><b>y</b></r>', single)).event).toMatchObject({ b: ['x', 'y'], a: '1', n: '2' });
    const named = { store_xml: false, namespaces: { p: 'urn:x' }, xpath: { '//p:b/text()': 'b' } };
    expect((await xml('<r xmlns:q="urn:x"><q:b>1</q:b></r>', named)).event).toMatchObject({ b: ['1'] });
    const bare = { store_xml: false, remove_namespaces: true, xpath: { '//b/text()': 'b' } };
    expect((await xml('<q:r xmlns:q="urn:x"><q:b>1</q:b></q:r>', bare)).event).toMatchObject({ b: ['1'] });
  });
  test('without namespaces of its own a path has those that the root declares', async () => {
    const options = { store_xml: false, xpath: { '/r/h:b/text()': 'b' } };
    expect((await xml('<r xmlns:h="urn:x"><h:b>1</h:b></r>', options)).event).toMatchObject({ b: ['1'] });
    const unknown = await xml('<r><b>1</b></r>', options);
    expect([unknown.outcome, unknown.event.tags]).toEqual(['unmatched', ['_xmlparsefailure']]);
    const bare = { store_xml: false, xpath: { '/xmlns:r/xmlns:b/text()': 'b' } };
    expect((await xml('<r xmlns="urn:x"><b>1</b></r>', bare)).event).toMatchObject({ b: ['1'] });
    await expect(xml('<r/>', { store_xml: false, xpath: { '/r[': 'b' } })).rejects.toThrow('invalid XPath');
  });
  test('what can be mended is read for XPath alone, and refused when the parser is to be strict', async () => {
    const paths = { store_xml: false, xpath: { '//b/text()': 'b' } };
    const loose = '<r><b a=1>x</b></r>';
    expect((await xml(loose, paths)).event).toMatchObject({ b: ['x'] });
    expect((await xml(loose, { ...paths, parse_options: 'strict' })).event.tags).toEqual(['_xmlparsefailure']);
    expect((await xml('<r><b>x</b></r>', { ...paths, parse_options: 'strict' })).event).toMatchObject({ b: ['x'] });
  });
  test('elements that do not end, and attributes given twice, are mended for XPath', async () => {
    const paths = { store_xml: false, xpath: { '/r/b/text()': 'b', '/r/c/@a': 'a' } };
    const broken = `<r><!-- </r> --><b>x</b><c a="1" a='2'>y<d><e/></r>`;
    expect((await xml(broken, paths)).event).toMatchObject({ b: ['x'], a: ['1'] });
    expect((await xml(broken, { ...paths, parse_options: 'recover,NO_ERROR' })).event).toMatchObject({ b: ['x'] });
    for (const parse_options of ['strict', 'no_error,NOWARNING'])
      expect((await xml(broken, { ...paths, parse_options })).event.tags).toEqual(['_xmlparsefailure']);
    expect((await xml(broken, { store_xml: false })).event.tags).toBeUndefined();
    expect((await xml(broken, { store_xml: false, parse_options: 'strict' })).event.tags).toHaveLength(1);
    await expect(xml('<r/>', { store_xml: false, parse_options: 'strict,noblanks' })).rejects.toThrow(
      'unsupported parse option: "noblanks"',
    );
  });
  test('an element found by a path is printed as it stands, with the namespaces that it declares itself', async () => {
    const find = async (text: string) =>
      (await xml(text, { store_xml: false, namespaces: { h: 'urn:x' }, xpath: { '/r/h:b': 'b' } })).event.b;
    const inside = `<h:b h:a="1 &amp; &quot;2&quot;">x &lt;<![CDATA[<]]><!--c--><?p i?><e/></h:b>`;
    expect(await find(`<r xmlns:h="urn:x">${inside}</r>`)).toEqual([inside]);
    expect(await find('<r><h:b xmlns:h="urn:x">x</h:b></r>')).toEqual(['<h:b xmlns:h="urn:x">x</h:b>']);
  });
  test('mending leaves what needs none as it is, and ends what was cut off', () => {
    fc.assert(
      fc.property(xmlText, (text) => {
        expect(mendedXml(text)).toBe(text);
        expect(mendedXml(text.replace(/<\/[abc]>$/, ''))).toBe(text);
      }),
      { seed: 7 },
    );
  });
  test('what is no XML is tagged', async () => {
    expect((await xml('<r><b></r>', { target: 't' })).event.tags).toEqual(['_xmlparsefailure']);
  });
});
