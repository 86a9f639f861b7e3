"""LangChain's vector stores of Elasticsearch and OpenSearch: texts are stored with vectors, and found by them."""

import sys
import warnings

warnings.filterwarnings("ignore")
url = sys.argv[1]

from langchain_community.vectorstores import OpenSearchVectorSearch
from langchain_core.embeddings import Embeddings
from langchain_elasticsearch import (
    BM25Strategy,
    DenseVectorScriptScoreStrategy,
    DenseVectorStrategy,
    DistanceMetric,
    ElasticsearchChatMessageHistory,
    ElasticsearchStore,
)

WORDS = ["fox", "dog", "apple", "quick", "lazy", "red"]
TEXTS = ["the quick fox", "a lazy dog", "a red apple", "the quick dog"]
METADATA = [{"n": n, "source": "odd" if n % 2 else "even"} for n in range(len(TEXTS))]


class Counts(Embeddings):
    """Vectors that count words."""

    def embed_query(self, text):
        words = text.lower().split()
        return [float(words.count(word)) + 0.01 for word in WORDS]

    def embed_documents(self, texts):
        return [self.embed_query(text) for text in texts]


def expect(found, wanted):
    assert found == wanted, f"{found} instead of {wanted}"


def texts(documents):
    return [document.page_content for document in documents]


strategies = {
    "cosine": DenseVectorStrategy(),
    "euclid": DenseVectorStrategy(distance=DistanceMetric.EUCLIDEAN_DISTANCE),
    "inner": DenseVectorStrategy(distance=DistanceMetric.MAX_INNER_PRODUCT),
    "script": DenseVectorScriptScoreStrategy(),
    "words": BM25Strategy(),
}
for name, strategy in strategies.items():
    store = ElasticsearchStore(es_url=url, index_name=f"store-{name}", embedding=Counts(), strategy=strategy)
    ids = store.add_texts(TEXTS, metadatas=METADATA)
    expect(texts(store.similarity_search("quick fox", k=1)), ["the quick fox"])
    only_odd = [{"term": {"metadata.source.keyword": "odd"}}]
    expect(texts(store.similarity_search("quick dog fox", k=1, filter=only_odd)), ["the quick dog"])
    store.delete(ids=ids[:1])
    expect("the quick fox" in texts(store.similarity_search("quick fox", k=4)), False)

store = ElasticsearchStore(es_url=url, index_name="store-score", embedding=Counts())
store.add_texts(TEXTS)
[(document, score)] = store.similarity_search_with_score("red apple", k=1)
expect((document.page_content, round(score, 3)), ("a red apple", 1.0))
expect(len(store.max_marginal_relevance_search("quick fox", k=2, fetch_k=4)), 2)

history = ElasticsearchChatMessageHistory(es_url=url, index="history", session_id="one")
history.add_user_message("hello")
history.add_ai_message("good day")
expect([message.content for message in history.messages], ["hello", "good day"])
history.clear()
expect(history.messages, [])

for engine, space in (("faiss", "l2"), ("lucene", "cosinesimil"), ("nmslib", "innerproduct")):
    store = OpenSearchVectorSearch.from_texts(
        TEXTS,
        Counts(),
        metadatas=METADATA,
        opensearch_url=url,
        index_name=f"open-{engine}",
        engine=engine,
        space_type=space,
        bulk_size=100,
    )
    expect(texts(store.similarity_search("quick fox", k=1)), ["the quick fox"])
    odd = {"term": {"metadata.source.keyword": "odd"}}
    expect(texts(store.similarity_search("lazy", k=1, efficient_filter=odd)), ["a lazy dog"])
    painless = {"search_type": "painless_scripting", "space_type": "cosineSimilarity"}
    expect(texts(store.similarity_search("red apple", k=1, **painless)), ["a red apple"])

print("ok")
