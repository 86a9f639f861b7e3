import static java.util.Map.entry;

import co.elastic.clients.elasticsearch.ElasticsearchClient;
import co.elastic.clients.elasticsearch._types.Level;
import co.elastic.clients.elasticsearch._types.Refresh;
import co.elastic.clients.elasticsearch.indices.shard_stores.ShardStoreStatus;
import co.elastic.clients.json.JsonData;
import co.elastic.clients.json.jackson.JacksonJsonpMapper;
import co.elastic.clients.transport.rest_client.RestClientTransport;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.apache.http.HttpHost;
import org.elasticsearch.client.RestClient;

/** Reads with the Java client what a monitor reads: it refuses an answer for one missing member. Prints what it cannot read, or "ok". */
public class Monitor {
  public static void main(String[] args) throws Exception {
    List<String> failures = new ArrayList<>();
    try (RestClient http = RestClient.builder(HttpHost.create(args[0])).build()) {
      var client = new ElasticsearchClient(new RestClientTransport(http, new JacksonJsonpMapper()));
      fill(client);
      for (var read : reads(client).entrySet()) {
        try {
          read.getValue().call();
        } catch (Exception e) {
          failures.add(read.getKey() + ": " + e.getMessage());
        }
      }
    }
    System.out.println(failures.isEmpty() ? "ok" : String.join("\n", failures));
  }

  private static void fill(ElasticsearchClient client) throws Exception {
    client.indices().create(c -> c.index("books").settings(s -> s.numberOfReplicas("1"))
        .mappings(m -> m.properties("title", p -> p.text(t -> t.analyzer("english"))).properties("pages", p -> p.integer(i -> i))));
    client.bulk(b -> {
      for (int i = 0; i < 20; i++) {
        Map<String, JsonData> book = Map.of("title", JsonData.of("Book of " + i), "pages", JsonData.of(i * 10));
        b.operations(o -> o.index(x -> x.index("books").document(book)));
      }
      return b.refresh(Refresh.True);
    });
  }

  private static Map<String, Callable<Object>> reads(ElasticsearchClient client) {
    return Map.ofEntries(
        entry("cluster.stats", () -> client.cluster().stats()),
        entry("cluster.health", () -> client.cluster().health(h -> h.level(Level.Shards))),
        entry("cluster.allocation_explain", () -> client.cluster().allocationExplain()),
        entry("nodes.info", () -> client.nodes().info()),
        entry("nodes.stats", () -> client.nodes().stats()),
        entry("nodes.usage", () -> client.nodes().usage()),
        entry("indices.stats", () -> client.indices().stats(s -> s.level(Level.Shards))),
        entry("indices.segments", () -> client.indices().segments()),
        entry("indices.recovery", () -> client.indices().recovery()),
        entry("indices.shard_stores", () -> client.indices().shardStores(s -> s.status(ShardStoreStatus.All))),
        entry("search_shards", () -> client.searchShards(s -> s.index("books"))),
        entry("health_report", () -> client.healthReport()),
        entry("tasks", () -> client.tasks().list(t -> t.detailed(true))),
        entry("profile", () -> client.search(s -> s.index("books").profile(true)
            .query(q -> q.match(m -> m.field("title").query("book"))), Map.class)),
        entry("boxplot", () -> client.search(s -> s.index("books").size(0)
            .aggregations("pages", a -> a.boxplot(b -> b.field("pages"))), Map.class)));
  }
}
