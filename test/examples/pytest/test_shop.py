import json
import urllib.request


def ask(url, method="GET", body=None):
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(url, data, {"content-type": "application/json"}, method=method)
    with urllib.request.urlopen(request) as answer:
        return json.load(answer)


def test_finds_what_was_written(shoal):
    ask(f"{shoal}/shop/_doc/1?refresh=true", "PUT", {"title": "red lamp"})
    answer = ask(f"{shoal}/shop/_search", "POST", {"query": {"match": {"title": "lamp"}}})
    assert [hit["_id"] for hit in answer["hits"]["hits"]] == ["1"]


def test_has_the_same_node(shoal):
    assert ask(f"{shoal}/_cluster/health")["number_of_nodes"] == 1
