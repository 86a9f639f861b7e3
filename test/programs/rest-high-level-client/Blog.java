import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.http.HttpHost;
import org.elasticsearch.action.DocWriteRequest;
import org.elasticsearch.action.DocWriteResponse;
import org.elasticsearch.action.admin.indices.alias.Alias;
import org.elasticsearch.action.bulk.BulkProcessor;
import org.elasticsearch.action.bulk.BulkRequest;
import org.elasticsearch.action.bulk.BulkResponse;
import org.elasticsearch.action.index.IndexRequest;
import org.elasticsearch.action.ingest.SimulatePipelineRequest;
import org.elasticsearch.action.search.ClearScrollRequest;
import org.elasticsearch.action.search.SearchRequest;
import org.elasticsearch.action.search.SearchResponse;
import org.elasticsearch.action.search.SearchScrollRequest;
import org.elasticsearch.action.support.WriteRequest;
import org.elasticsearch.action.update.UpdateRequest;
import org.elasticsearch.client.RequestOptions;
import org.elasticsearch.client.RestClient;
import org.elasticsearch.client.RestHighLevelClient;
import org.elasticsearch.client.RestHighLevelClientBuilder;
import org.elasticsearch.client.core.TermVectorsRequest;
import org.elasticsearch.client.indexlifecycle.LifecycleManagementStatusRequest;
import org.elasticsearch.client.indexlifecycle.OperationMode;
import org.elasticsearch.client.indices.CreateIndexRequest;
import org.elasticsearch.common.bytes.BytesArray;
import org.elasticsearch.common.unit.Fuzziness;
import org.elasticsearch.core.TimeValue;
import org.elasticsearch.index.query.QueryBuilders;
import org.elasticsearch.index.reindex.UpdateByQueryRequest;
import org.elasticsearch.script.Script;
import org.elasticsearch.search.SearchHit;
import org.elasticsearch.search.aggregations.AggregationBuilders;
import org.elasticsearch.search.aggregations.Aggregations;
import org.elasticsearch.search.aggregations.PipelineAggregatorBuilders;
import org.elasticsearch.search.aggregations.bucket.histogram.AutoDateHistogramAggregationBuilder;
import org.elasticsearch.search.aggregations.bucket.histogram.DateHistogramInterval;
import org.elasticsearch.search.aggregations.bucket.histogram.Histogram;
import org.elasticsearch.search.aggregations.bucket.terms.Terms;
import org.elasticsearch.search.aggregations.metrics.Avg;
import org.elasticsearch.search.aggregations.pipeline.BucketMetricValue;
import org.elasticsearch.search.aggregations.pipeline.SimpleValue;
import org.elasticsearch.search.builder.SearchSourceBuilder;
import org.elasticsearch.search.fetch.subphase.highlight.HighlightBuilder;
import org.elasticsearch.search.sort.SortOrder;
import org.elasticsearch.search.suggest.Suggest;
import org.elasticsearch.search.suggest.SuggestBuilder;
import org.elasticsearch.search.suggest.SuggestBuilders;
import org.elasticsearch.xcontent.XContentType;

/** Keeps a blog as programs do that were written for version 7 and talk to version 8 in its compatibility mode. */
public class Blog {
  static final RequestOptions NONE = RequestOptions.DEFAULT;
  static final int STORIES = 50;
  static final String MAPPING =
      "{\"properties\":{\"title\":{\"type\":\"text\",\"fields\":{\"suggest\":{\"type\":\"completion\"}}},"
          + "\"user\":{\"type\":\"keyword\"},\"views\":{\"type\":\"long\"},"
          + "\"date\":{\"type\":\"date\"},\"place\":{\"type\":\"geo_point\"}}}";

  final RestHighLevelClient client;

  Blog(RestHighLevelClient client) {
    this.client = client;
  }

  public static void main(String[] args) throws Exception {
    RestClient lowLevel = RestClient.builder(HttpHost.create(args[0])).build();
    try (RestHighLevelClient client = new RestHighLevelClientBuilder(lowLevel).setApiCompatibilityMode(true).build()) {
      Blog blog = new Blog(client);
      blog.create();
      blog.write();
      blog.load();
      blog.search();
      blog.aggregate();
      blog.suggest();
      blog.scroll();
      blog.manage();
    }
    System.out.println("ok");
  }

  void create() throws IOException {
    CreateIndexRequest request = new CreateIndexRequest("blog").mapping(MAPPING, XContentType.JSON);
    check(client.indices().create(request.alias(new Alias("stories")), NONE).isShardsAcknowledged(), "created");
  }

  void write() throws IOException {
    IndexRequest first = new IndexRequest("blog").id("first").source(Map.of("title", "first", "views", 1));
    check(client.index(first.opType(DocWriteRequest.OpType.CREATE), NONE).getResult() == DocWriteResponse.Result.CREATED, "new");
    Script more = new Script("ctx._source.views += 4");
    UpdateRequest scripted = new UpdateRequest("blog", "first").script(more).fetchSource(true);
    check(client.update(scripted, NONE).getGetResult().getSource().get("views").equals(5), "scripted");
    UpdateRequest upsert = new UpdateRequest("blog", "second").doc(Map.of("title", "second", "views", 2));
    check(client.update(upsert.docAsUpsert(true), NONE).getResult() == DocWriteResponse.Result.CREATED, "upserted");
    check(client.termvectors(new TermVectorsRequest("blog", "first"), NONE).getFound(), "term vectors");
  }

  void load() throws Exception {
    List<String> failures = new ArrayList<>();
    BulkProcessor.Listener listener =
        new BulkProcessor.Listener() {
          @Override
          public void beforeBulk(long id, BulkRequest request) {}

          @Override
          public void afterBulk(long id, BulkRequest request, BulkResponse response) {
            if (response.hasFailures()) failures.add(response.buildFailureMessage());
          }

          @Override
          public void afterBulk(long id, BulkRequest request, Throwable failure) {
            failures.add(failure.toString());
          }
        };
    BulkProcessor processor =
        BulkProcessor.builder((request, then) -> client.bulkAsync(request, NONE, then), listener, "loader")
            .setBulkActions(20)
            .setGlobalIndex("blog")
            .build();
    for (int n = 0; n < STORIES; n++) processor.add(new IndexRequest().id("s" + n).create(n % 2 == 0).source(story(n)));
    check(processor.awaitClose(30, TimeUnit.SECONDS) && failures.isEmpty(), "loaded: " + failures);
    client.bulk(new BulkRequest().add(new IndexRequest("blog").id("s0").source(story(0))).setRefreshPolicy(WriteRequest.RefreshPolicy.IMMEDIATE), NONE);
  }

  static Map<String, Object> story(int n) {
    String date = String.format("2020-01-%02dT00:00:00Z", n % 28 + 1);
    Map<String, Object> place = Map.of("lat", n, "lon", n);
    return Map.of("title", "elastic search story " + n, "user", "user" + n % 5, "views", n, "date", date, "place", place);
  }

  void search() throws IOException {
    SearchSourceBuilder source =
        new SearchSourceBuilder()
            .query(
                QueryBuilders.boolQuery()
                    .must(QueryBuilders.matchQuery("title", "stori").fuzziness(Fuzziness.AUTO))
                    .filter(QueryBuilders.rangeQuery("views").gte(3))
                    .filter(QueryBuilders.geoBoundingBoxQuery("place").setCorners(10, 0, 0, 10)))
            .highlighter(new HighlightBuilder().field("title").preTags("<b>").postTags("</b>"))
            .sort("views", SortOrder.DESC)
            .size(3)
            .version(true)
            .explain(true);
    SearchResponse answer = client.search(new SearchRequest("stories").source(source), NONE);
    check(answer.getHits().getTotalHits().value == 8, "found " + answer.getHits().getTotalHits());
    SearchHit best = answer.getHits().getAt(0);
    check(best.getId().equals("s10") && best.getExplanation() != null, "best " + best.getId());
    String shown = best.getHighlightFields().get("title").getFragments()[0].string();
    check(shown.equals("elastic search <b>story</b> 10"), shown);
  }

  void aggregate() throws IOException {
    SearchSourceBuilder source =
        new SearchSourceBuilder()
            .size(0)
            .aggregation(AggregationBuilders.terms("users").field("user").subAggregation(AggregationBuilders.avg("views").field("views")))
            .aggregation(
                AggregationBuilders.dateHistogram("weeks")
                    .field("date")
                    .calendarInterval(DateHistogramInterval.WEEK)
                    .subAggregation(AggregationBuilders.sum("views").field("views"))
                    .subAggregation(PipelineAggregatorBuilders.derivative("growth", "views"))
                    .subAggregation(PipelineAggregatorBuilders.cumulativeSum("all", "views")))
            .aggregation(new AutoDateHistogramAggregationBuilder("days").field("date").setNumBuckets(40))
            .aggregation(PipelineAggregatorBuilders.maxBucket("best", "users>views"));
    Aggregations found = client.search(new SearchRequest("blog").source(source), NONE).getAggregations();
    Terms users = found.get("users");
    Avg views = users.getBucketByKey("user4").getAggregations().get("views");
    check(users.getBuckets().size() == 5 && views.getValue() == 26.5, "users " + views.getValue());
    Histogram weeks = found.get("weeks");
    Aggregations last = weeks.getBuckets().get(weeks.getBuckets().size() - 1).getAggregations();
    SimpleValue all = last.get("all");
    check(last.get("growth") != null && all.value() == 1225, "weeks " + all.value());
    Histogram days = found.get("days");
    check(days.getBuckets().size() == 28, "days " + days.getBuckets().size());
    BucketMetricValue best = found.get("best");
    check(best.keys()[0].equals("user4") && best.value() == 26.5, "best " + best.value());
  }

  void suggest() throws IOException {
    SuggestBuilder asked =
        new SuggestBuilder()
            .addSuggestion("words", SuggestBuilders.termSuggestion("title").text("elastik"))
            .addSuggestion("titles", SuggestBuilders.completionSuggestion("title.suggest").prefix("elas").size(2));
    Suggest found = client.search(new SearchRequest("blog").source(new SearchSourceBuilder().suggest(asked)), NONE).getSuggest();
    check(optionsOf(found, "words").equals(List.of("elastic")), "words " + optionsOf(found, "words"));
    check(optionsOf(found, "titles").size() == 2, "titles " + optionsOf(found, "titles"));
  }

  static List<String> optionsOf(Suggest suggest, String name) {
    List<String> texts = new ArrayList<>();
    for (Suggest.Suggestion.Entry<? extends Suggest.Suggestion.Entry.Option> entry : suggest.getSuggestion(name)) {
      entry.getOptions().forEach(option -> texts.add(option.getText().string()));
    }
    return texts;
  }

  void scroll() throws IOException {
    TimeValue minute = TimeValue.timeValueMinutes(1);
    SearchRequest request = new SearchRequest("blog").scroll(minute).source(new SearchSourceBuilder().size(7).sort("_doc"));
    SearchResponse page = client.search(request, NONE);
    int found = 0;
    while (page.getHits().getHits().length > 0) {
      found += page.getHits().getHits().length;
      page = client.scroll(new SearchScrollRequest(page.getScrollId()).scroll(minute), NONE);
    }
    ClearScrollRequest end = new ClearScrollRequest();
    end.addScrollId(page.getScrollId());
    check(client.clearScroll(end, NONE).isSucceeded() && found == STORIES + 2, "scrolled " + found);
  }

  void manage() throws IOException {
    UpdateByQueryRequest update = new UpdateByQueryRequest("blog").setQuery(QueryBuilders.termQuery("user", "user1"));
    check(client.updateByQuery(update.setScript(new Script("ctx._source.seen = true")), NONE).getUpdated() == 10, "updated");
    String pipeline = "{\"pipeline\":{\"processors\":[{\"set\":{\"field\":\"a\",\"value\":1}}]},\"docs\":[{\"_source\":{}}]}";
    SimulatePipelineRequest tried = new SimulatePipelineRequest(new BytesArray(pipeline), XContentType.JSON);
    check(client.ingest().simulate(tried, NONE).getResults().size() == 1, "simulated");
    LifecycleManagementStatusRequest status = new LifecycleManagementStatusRequest();
    OperationMode mode = client.indexLifecycle().lifecycleManagementStatus(status, NONE).getOperationMode();
    check(mode == OperationMode.RUNNING, "lifecycle " + mode);
  }

  static void check(boolean isTrue, String what) {
    if (!isTrue) throw new AssertionError(what);
  }
}
