"""Stored queries say which tags a text is to have."""
import sys

from elasticsearch_dsl import Document, Keyword, Percolator, Q, Search, Text, connections

client = connections.create_connection(hosts=[sys.argv[1]])


class Rule(Document):
    content = Text()
    tags = Keyword(multi=True)
    query = Percolator()

    class Index:
        name = 'dsl-rules'
        settings = {'number_of_shards': 2, 'number_of_replicas': 0}


Rule.init()
rules = {'python': Q('match', content='python'), 'search': Q('match_phrase', content='full text search'),
         'both': Q('match', content='python') & Q('match', content='search'), 'not': ~Q('match', content='python')}
for name, query in rules.items():
    Rule(_id=name, tags=[name], query=query).save()
Rule._index.refresh()


def tags_of(*texts):
    documents = [{'content': text} for text in texts]
    found = Search(index='dsl-rules').query('percolate', field='query', documents=documents).extra(size=20).execute()
    return {hit.meta.id: sorted(hit.meta.fields['_percolator_document_slot']) for hit in found}


assert tags_of('Learning Python') == {'python': [0]}, tags_of('Learning Python')
several = tags_of('full text search in Python', 'a search of a text', 'Full text search')
assert several == {'python': [0], 'search': [0, 2], 'both': [0], 'not': [1, 2]}, several
client.index(index='dsl-texts', id=1, body={'content': 'python'}, refresh=True)
stored = Search(index='dsl-rules').query('percolate', field='query', index='dsl-texts', id='1').execute()
assert [hit.meta.id for hit in stored] == ['python']
try:
    client.index(index='dsl-rules', id='bad', body={'query': {'match_nothing_known': {}}})
    raise AssertionError('a query that is none was taken')
except Exception as error:
    assert error.status_code == 400, error
print('ok')
