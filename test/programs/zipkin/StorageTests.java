import com.linecorp.armeria.client.WebClient;
import com.linecorp.armeria.common.AggregatedHttpResponse;
import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.common.RequestHeaders;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.TestInfo;
import zipkin2.DependencyLink;
import zipkin2.Span;
import zipkin2.codec.DependencyLinkBytesEncoder;
import zipkin2.elasticsearch.ElasticsearchStorage;
import zipkin2.internal.DateUtil;
import zipkin2.internal.DependencyLinker;
import zipkin2.storage.GroupByTraceId;
import zipkin2.storage.StorageComponent;

/** Zipkin's tests that every storage has to pass, over its storage in Elasticsearch. */
public class StorageTests {
  static final WebClient CLIENT = WebClient.of(System.getProperty("url"));

  static class Client implements ElasticsearchStorage.LazyHttpClient {
    @Override
    public WebClient get() {
      return CLIENT;
    }

    @Override
    public String toString() {
      return CLIENT.uri().toString();
    }
  }

  /** Each test has indices of its own. */
  static StorageComponent.Builder builder(TestInfo test) {
    String name = "zipkin-" + Integer.toHexString((test.getTestClass() + " " + test.getTestMethod()).hashCode());
    return ElasticsearchStorage.newBuilder(new Client()).index(name).flushOnWrites(true);
  }

  /** Does what a job outside of Zipkin does once a day: finds which service calls which, and keeps it in an index of the day. */
  static void link(ElasticsearchStorage storage, List<Span> spans) throws IOException {
    Map<Long, DependencyLinker> days = new HashMap<>();
    for (List<Span> trace : GroupByTraceId.create(false).map(spans)) {
      days.computeIfAbsent(dayOf(trace), day -> new DependencyLinker()).putTrace(trace);
    }
    for (Map.Entry<Long, DependencyLinker> day : days.entrySet()) {
      String index = storage.indexNameFormatter().formatTypeAndTimestampForInsert("dependency", '-', day.getKey());
      for (DependencyLink link : day.getValue().link()) write(index, link);
    }
  }

  static void write(String index, DependencyLink link) throws IOException {
    String path = "/" + index + "/_doc/" + link.parent() + "-" + link.child() + "?refresh=true";
    RequestHeaders headers = RequestHeaders.of(HttpMethod.PUT, path, "content-type", MediaType.JSON);
    AggregatedHttpResponse answer =
        CLIENT.execute(headers, DependencyLinkBytesEncoder.JSON_V1.encode(link)).aggregate().join();
    if (!answer.status().isSuccess()) throw new IOException(answer.contentUtf8());
  }

  static long dayOf(List<Span> trace) {
    for (Span span : trace) if (span.timestampAsLong() != 0) return DateUtil.midnightUTC(span.timestampAsLong() / 1000);
    return DateUtil.midnightUTC(System.currentTimeMillis());
  }

  @Nested
  class Traces extends zipkin2.storage.ITTraces<ElasticsearchStorage> {
    @Override
    protected StorageComponent.Builder newStorageBuilder(TestInfo test) {
      return builder(test);
    }

    @Override
    public void clear() throws IOException {
      storage.clear();
    }
  }

  @Nested
  class SpanStore extends zipkin2.storage.ITSpanStore<ElasticsearchStorage> {
    @Override
    protected StorageComponent.Builder newStorageBuilder(TestInfo test) {
      return builder(test);
    }

    @Override
    public void clear() throws IOException {
      storage.clear();
    }
  }

  @Nested
  class SpanStoreHeavy extends zipkin2.storage.ITSpanStoreHeavy<ElasticsearchStorage> {
    @Override
    protected StorageComponent.Builder newStorageBuilder(TestInfo test) {
      return builder(test);
    }

    @Override
    public void clear() throws IOException {
      storage.clear();
    }
  }

  @Nested
  class SearchEnabledFalse extends zipkin2.storage.ITSearchEnabledFalse<ElasticsearchStorage> {
    @Override
    protected StorageComponent.Builder newStorageBuilder(TestInfo test) {
      return builder(test);
    }

    @Override
    public void clear() throws IOException {
      storage.clear();
    }
  }

  @Nested
  class StrictTraceIdFalse extends zipkin2.storage.ITStrictTraceIdFalse<ElasticsearchStorage> {
    @Override
    protected StorageComponent.Builder newStorageBuilder(TestInfo test) {
      return builder(test);
    }

    @Override
    public void clear() throws IOException {
      storage.clear();
    }
  }

  @Nested
  class ServiceAndSpanNames extends zipkin2.storage.ITServiceAndSpanNames<ElasticsearchStorage> {
    @Override
    protected StorageComponent.Builder newStorageBuilder(TestInfo test) {
      return builder(test);
    }

    @Override
    public void clear() throws IOException {
      storage.clear();
    }
  }

  @Nested
  class AutocompleteTags extends zipkin2.storage.ITAutocompleteTags<ElasticsearchStorage> {
    @Override
    protected StorageComponent.Builder newStorageBuilder(TestInfo test) {
      return builder(test);
    }

    @Override
    public void clear() throws IOException {
      storage.clear();
    }
  }

  @Nested
  class Dependencies extends zipkin2.storage.ITDependencies<ElasticsearchStorage> {
    @Override
    protected StorageComponent.Builder newStorageBuilder(TestInfo test) {
      return builder(test);
    }

    @Override
    public void clear() throws IOException {
      storage.clear();
    }

    @Override
    protected void processDependencies(List<Span> spans) throws Exception {
      link(storage, spans);
    }
  }

  @Nested
  class DependenciesHeavy extends zipkin2.storage.ITDependenciesHeavy<ElasticsearchStorage> {
    @Override
    protected StorageComponent.Builder newStorageBuilder(TestInfo test) {
      return builder(test);
    }

    @Override
    public void clear() throws IOException {
      storage.clear();
    }

    @Override
    protected void processDependencies(List<Span> spans) throws Exception {
      link(storage, spans);
    }
  }
}
