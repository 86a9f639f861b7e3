"""Names are completed as they are typed, from any of their words, the most popular first."""
import sys
from itertools import permutations

from elasticsearch_dsl import Completion, Document, Keyword, Long, Text, analyzer, connections, token_filter

connections.create_connection(hosts=[sys.argv[1]])
folding = analyzer('folding', tokenizer='whitespace', filter=['lowercase', token_filter('fold', 'asciifolding')])


class Person(Document):
    name = Text(fields={'keyword': Keyword()})
    popularity = Long()
    suggest = Completion(analyzer=folding)

    class Index:
        name = 'dsl-people'
        settings = {'number_of_shards': 2, 'number_of_replicas': 0}

    def clean(self):
        self.suggest = {'input': [' '.join(words) for words in permutations(self.name.split())], 'weight': self.popularity}


Person.init()
for number, (name, popularity) in enumerate([('Henri de Toulouse-Lautrec', 42), ('Jára Cimrman', 124), ('Henry Moore', 7)]):
    Person(_id=number, name=name, popularity=popularity).save(refresh=True)

for typed, wanted in [('jára', ['Jára Cimrman']), ('cimr', ['Jára Cimrman']), ('JARA c', ['Jára Cimrman']),
                      ('hen', ['Henri de Toulouse-Lautrec', 'Henry Moore']), ('toulouse', ['Henri de Toulouse-Lautrec']),
                      ('moore h', ['Henry Moore']), ('nobody', [])]:
    found = Person.search().suggest('auto', typed, completion={'field': 'suggest'}).execute()
    names = [option._source.name for option in found.suggest.auto[0].options]
    assert names == wanted, (typed, names)
fuzzy = Person.search().suggest('auto', 'mooer', completion={'field': 'suggest', 'fuzzy': {'fuzziness': 2}}).execute()
assert [option._source.name for option in fuzzy.suggest.auto[0].options] == ['Henry Moore']
print('ok')
