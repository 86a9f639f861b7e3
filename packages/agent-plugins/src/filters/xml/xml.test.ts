import { describe, expect, test } from 'vitest';
import { runFilter } from '../filter-outcome.test-support.ts';
import { xmlFilter } from './xml.ts';

type Fields = Record<string, unknown>;

describe('the xml filter', () => {
  const xml = (m: string, options: Fields) => runFilter(xmlFilter, { source: 'm', ...options }, { m });
  test('attributes are keys, text is content, children are arrays', async () => {
    const { event } = await xml('<r a="1"><b>x</b><b c="2">y</b><e/></r>', { target: 't' });
    expect(event.t).toEqual({ a: '1', b: ['x', { c: '2', content: 'y' }] });
    expect((await xml('<r><b>x</b></r>', { target: 't', force_array: false })).event.t).toEqual({ b: 'x' });
  });
  test('XPath gives arrays of texts', async () => {
    const options = { store_xml: false, xpath: { '/r/b/text()': 'b', '/r/@a': 'a', 'count(//b)': 'n' } };
    expect((await xml('<r a="1"><b>x</b><b>y</b></r>', options)).event).toMatchObject({
      b: ['x', 'y'],
      a: ['1'],
      n: ['2'],
    });
    const named = { store_xml: false, namespaces: { p: 'urn:x' }, xpath: { '//p:b/text()': 'b' } };
    expect((await xml('<r xmlns:q="urn:x"><q:b>1</q:b></r>', named)).event).toMatchObject({ b: ['1'] });
    const bare = { store_xml: false, remove_namespaces: true, xpath: { '//b/text()': 'b' } };
    expect((await xml('<q:r xmlns:q="urn:x"><q:b>1</q:b></q:r>', bare)).event).toMatchObject({ b: ['1'] });
  });
  test('what can be mended is read for XPath alone, and refused when the parser is to be strict', async () => {
    const paths = { store_xml: false, xpath: { '//b/text()': 'b' } };
    const loose = '<r><b a=1>x</b></r>';
    expect((await xml(loose, paths)).event).toMatchObject({ b: ['x'] });
    expect((await xml(loose, { ...paths, parse_options: 'strict' })).event.tags).toEqual(['_xmlparsefailure']);
    expect((await xml('<r><b>x</b></r>', { ...paths, parse_options: 'strict' })).event).toMatchObject({ b: ['x'] });
  });
  test('what is no XML is tagged', async () => {
    expect((await xml('<r><b></r>', { target: 't' })).event.tags).toEqual(['_xmlparsefailure']);
  });
});
