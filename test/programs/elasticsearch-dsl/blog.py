"""Nested comments: added to a stored document, searched with what was found in them, sorted by them."""
import sys
from datetime import datetime

from elasticsearch_dsl import Boolean, Completion, Date, Document, InnerDoc, Keyword, Nested, Text, analyzer, connections

client = connections.create_connection(hosts=[sys.argv[1]])
html = analyzer('html', tokenizer='standard', filter=['lowercase', 'stop', 'snowball'], char_filter=['html_strip'])


class Comment(InnerDoc):
    author = Text(fields={'raw': Keyword()})
    content = Text(analyzer='snowball')
    created_at = Date()


class Post(Document):
    title = Text()
    title_suggest = Completion()
    published = Boolean()
    category = Text(analyzer=html, fields={'raw': Keyword()})
    comments = Nested(Comment)

    class Index:
        name = 'dsl-blog'

    def comment(self, author, content):
        self.comments.append(Comment(author=author, content=content, created_at=datetime(2024, 1, len(self.comments) + 1)))


Post.init()
first = Post(_id=1, title='Of foxes', title_suggest=['foxes', 'of foxes'], published=True, category='<b>Running</b> animals')
first.comment('Ann', 'They were running')
first.save()
second = Post(_id=2, title='Of dogs', title_suggest='dogs', published=False, category='sleeping')
second.comment('Bob', 'Nothing to say')
second.comment('Ann', 'They sleep')
second.save(refresh=True)

again = Post.get(id=1)
again.comment('Bob', 'He runs')
again.save(refresh=True)
assert [each.author for each in Post.get(id=1).comments] == ['Ann', 'Bob']

by_category = Post.search().query('match', category='runs').execute()
assert [hit.meta.id for hit in by_category] == ['1']

search = Post.search().query('nested', path='comments', inner_hits={'size': 1, 'sort': [{'comments.created_at': 'desc'}]},
                             query={'match': {'comments.content': 'run'}})
hits = search.execute()
assert [hit.meta.id for hit in hits] == ['1']
inner = hits[0].meta.inner_hits.comments
assert inner.hits.total.value == 2 and inner[0].author == 'Bob', inner.to_dict()

latest = Post.search().sort({'comments.created_at': {'order': 'desc', 'mode': 'max', 'nested': {
    'path': 'comments', 'filter': {'term': {'comments.author.raw': 'Ann'}}}}}).execute()
assert [hit.meta.id for hit in latest] == ['2', '1']

search = Post.search()[:0]
search.aggs.bucket('comments', 'nested', path='comments').bucket('authors', 'terms', field='comments.author.raw')
buckets = search.execute().aggregations.comments.authors.buckets
assert [(each.key, each.doc_count) for each in buckets] == [('Ann', 2), ('Bob', 2)], buckets

options = Post.search().suggest('s', 'of', completion={'field': 'title_suggest'}).execute().suggest.s[0].options
assert [each.text for each in options] == ['of foxes'], options
assert second.update(published=True, refresh=True) == 'updated'
assert Post.search().filter('term', published=True).count() == 2
print('ok')
