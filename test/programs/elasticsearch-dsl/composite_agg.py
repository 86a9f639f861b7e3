"""All buckets of several keys, page after page."""
import sys

from elasticsearch.helpers import bulk
from elasticsearch_dsl import A, Search, connections

client = connections.create_connection(hosts=[sys.argv[1]])
client.indices.create(index='dsl-commits', body={'mappings': {'properties': {
    'author': {'type': 'keyword'}, 'files': {'type': 'keyword'}, 'lines': {'type': 'integer'}, 'at': {'type': 'date'}}}})
bulk(client, ({'_index': 'dsl-commits', '_id': n, 'author': f'a{n % 3}', 'files': [f'f{n % 7}', f'f{n % 5}'], 'lines': n,
               'at': f'2024-0{1 + n % 3}-01'} for n in range(200)), refresh=True)


def scan(search, sources, inner, size):
    def page(**kwargs):
        asked = search[:0]
        each = asked.aggs.bucket('comp', 'composite', sources=sources, size=size, **kwargs)
        for name, aggregation in inner.items():
            each[name] = aggregation
        return asked.execute().aggregations.comp

    found = page()
    while found.buckets:
        yield from found.buckets
        if 'after_key' not in found:
            return
        found = page(after=found.after_key)


sources = [{'files': A('terms', field='files')}, {'month': A('date_histogram', field='at', calendar_interval='month')}]
buckets = list(scan(Search(index='dsl-commits'), sources, {'lines': A('avg', field='lines')}, size=4))
assert len(buckets) == 21 and len({(each.key.files, each.key.month) for each in buckets}) == 21, len(buckets)
assert sum(each.doc_count for each in buckets) == 200 + sum(1 for n in range(200) if n % 7 != n % 5)
print('ok')
