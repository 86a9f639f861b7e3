"""Answers join questions: found by each other, counted by each other, together on a shard."""
import sys

from elasticsearch_dsl import A, Date, Document, InnerDoc, Join, Keyword, Long, Object, Q, Text, connections

client = connections.create_connection(hosts=[sys.argv[1]])


class User(InnerDoc):
    id = Long(required=True)
    username = Text(fields={'keyword': Keyword()})


class Post(Document):
    author = Object(User)
    created = Date()
    body = Text()
    tags = Keyword(multi=True)
    kind = Join(relations={'question': ['answer']})

    class Index:
        name = 'dsl-questions'
        settings = {'number_of_shards': 3, 'number_of_replicas': 0}


Post.init()
ann, bob = User(id=1, username='ann'), User(id=2, username='bob')
for number, tags in [(1, ['python']), (2, ['python', 'search']), (3, ['search'])]:
    Post(_id=number, kind='question', author=ann, body=f'question number {number}', tags=tags).save()
for number, parent, author in [(11, 1, bob), (12, 1, ann), (13, 2, bob)]:
    answer = Post(_id=number, kind={'name': 'answer', 'parent': str(parent)}, author=author, body=f'answer to {parent}')
    answer.meta.routing = parent
    answer.save()
Post._index.refresh()


def ids(search):
    return sorted(hit.meta.id for hit in search.execute())


questions = Post.search().filter('term', kind='question')
assert ids(questions) == ['1', '2', '3']
by_bob = Q('has_child', type='answer', query=Q('term', author__username__keyword='bob'), inner_hits={})
found = Post.search().query(by_bob).execute()
inner = {hit.meta.id: [one.meta.id for one in hit.meta.inner_hits.answer] for hit in found}
assert inner == {'1': ['11'], '2': ['13']}, inner
assert ids(Post.search().query('has_child', type='answer', query=Q('match_all'), min_children=2)) == ['1']
assert ids(Post.search().exclude('has_child', type='answer', query=Q('match_all')).filter('term', kind='question')) == ['3']
of_python = Q('has_parent', parent_type='question', query=Q('term', tags='python'), inner_hits={'_source': ['tags']})
assert ids(Post.search().query(of_python)) == ['11', '12', '13']
assert ids(Post.search().query('parent_id', type='answer', id='1')) == ['11', '12']

scored = Post.search().query('has_child', type='answer', score_mode='sum', query=Q('constant_score', filter=Q('match_all'))).execute()
assert [(hit.meta.id, hit.meta.score) for hit in scored] == [('1', 2.0), ('2', 1.0)]

search = Post.search()[:0].query('term', kind='question')
tags = search.aggs.bucket('tags', A('terms', field='tags'))
tags.bucket('answers', A('children', type='answer')).bucket('authors', A('terms', field='author.username.keyword'))
seen = {tag.key: {each.key: each.doc_count for each in tag.answers.authors.buckets} for tag in search.execute().aggregations.tags.buckets}
assert seen == {'python': {'bob': 2, 'ann': 1}, 'search': {'bob': 1}}, seen
answer = Post.get(id=13, routing=2)
assert answer.kind.parent == '2' and answer.meta.routing == '2'
print('ok')
