"""An alias moves from one index to the next, whose mapping a template has given."""
import sys

from elasticsearch_dsl import Document, Keyword, Text, connections

client = connections.create_connection(hosts=[sys.argv[1]])
ALIAS = 'dsl-notes'


class Note(Document):
    title = Text()
    tags = Keyword()

    class Index:
        name = ALIAS
        settings = {'number_of_shards': 2, 'number_of_replicas': 0}


def migrate(version):
    index = f'{ALIAS}-{version}'
    client.indices.create(index=index)
    if client.indices.exists(index=ALIAS):
        client.reindex(body={'source': {'index': ALIAS}, 'dest': {'index': index}}, request_timeout=60)
        client.indices.refresh(index=index)
    client.indices.update_aliases(body={'actions': [
        {'remove': {'alias': ALIAS, 'index': f'{ALIAS}-*'}}, {'add': {'alias': ALIAS, 'index': index}}]})


template = Note._index.as_template(ALIAS, pattern=f'{ALIAS}-*')
template.save()
client.indices.create(index=f'{ALIAS}-1')
client.indices.put_alias(index=f'{ALIAS}-1', name=ALIAS)
Note(_id=1, title='First note', tags=['a', 'b']).save(refresh=True)
migrate(2)
assert list(client.indices.get_alias(name=ALIAS)) == [f'{ALIAS}-2']
mapping = client.indices.get_mapping(index=f'{ALIAS}-2')[f'{ALIAS}-2']['mappings']
assert mapping['properties']['tags'] == {'type': 'keyword'}, mapping
assert client.indices.get_settings(index=f'{ALIAS}-2')[f'{ALIAS}-2']['settings']['index']['number_of_shards'] == '2'
found = Note.search().filter('term', tags='b').execute()
assert [hit.title for hit in found] == ['First note'] and found[0].meta.index == f'{ALIAS}-2'
print('ok')
