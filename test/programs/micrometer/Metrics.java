import io.micrometer.core.instrument.Clock;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.Timer;
import io.micrometer.elastic.ElasticConfig;
import io.micrometer.elastic.ElasticMeterRegistry;
import java.time.Duration;
import java.util.Map;

/** Counts and measures a little, and publishes it as an application does that ends. */
public class Metrics {
  public static void main(String[] args) {
    Map<String, String> settings = Map.of("elastic.host", args[0], "elastic.index", "app-metrics", "elastic.step", "1h");
    ElasticConfig config = settings::get;
    ElasticMeterRegistry registry = new ElasticMeterRegistry(config, Clock.SYSTEM);
    registry.config().commonTags("app", "shop");
    Counter orders = registry.counter("orders", "country", "de");
    orders.increment(3);
    registry.gauge("stock", 42.5);
    DistributionSummary.builder("basket").register(registry).record(7);
    Timer.builder("request").register(registry).record(Duration.ofMillis(250));
    registry.close();
    System.out.println("ok");
  }
}
