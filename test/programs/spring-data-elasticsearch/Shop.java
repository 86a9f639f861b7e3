import static org.elasticsearch.index.query.QueryBuilders.*;
import static org.springframework.data.elasticsearch.annotations.FieldType.*;

import java.time.Duration;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.elasticsearch.client.RestHighLevelClient;
import org.elasticsearch.search.aggregations.AggregationBuilders;
import org.elasticsearch.search.aggregations.Aggregations;
import org.elasticsearch.search.aggregations.bucket.terms.Terms;
import org.elasticsearch.search.aggregations.metrics.Avg;
import org.elasticsearch.search.fetch.subphase.highlight.HighlightBuilder;
import org.elasticsearch.search.sort.SortBuilders;
import org.springframework.data.annotation.Id;
import org.springframework.data.annotation.Version;
import org.springframework.data.domain.PageRequest;
import org.springframework.data.domain.Pageable;
import org.springframework.data.domain.Page;
import org.springframework.data.domain.Sort;
import org.springframework.data.elasticsearch.RestStatusException;
import org.springframework.data.elasticsearch.annotations.DateFormat;
import org.springframework.data.elasticsearch.annotations.Document;
import org.springframework.data.elasticsearch.annotations.Field;
import org.springframework.data.elasticsearch.annotations.FieldType;
import org.springframework.data.elasticsearch.annotations.GeoPointField;
import org.springframework.data.elasticsearch.annotations.Highlight;
import org.springframework.data.elasticsearch.annotations.HighlightField;
import org.springframework.data.elasticsearch.annotations.InnerField;
import org.springframework.data.elasticsearch.annotations.MultiField;
import org.springframework.data.elasticsearch.annotations.Query;
import org.springframework.data.elasticsearch.annotations.Setting;
import org.springframework.data.elasticsearch.client.ClientConfiguration;
import org.springframework.data.elasticsearch.client.RestClients;
import org.springframework.data.elasticsearch.core.ElasticsearchRestTemplate;
import org.springframework.data.elasticsearch.core.SearchHits;
import org.springframework.data.elasticsearch.core.SearchHitsIterator;
import org.springframework.data.elasticsearch.core.geo.GeoPoint;
import org.springframework.data.elasticsearch.core.index.AliasAction;
import org.springframework.data.elasticsearch.core.index.AliasActionParameters;
import org.springframework.data.elasticsearch.core.index.AliasActions;
import org.springframework.data.elasticsearch.core.index.PutTemplateRequest;
import org.springframework.data.elasticsearch.core.mapping.IndexCoordinates;
import org.springframework.data.elasticsearch.core.query.Criteria;
import org.springframework.data.elasticsearch.core.query.CriteriaQuery;
import org.springframework.data.elasticsearch.core.query.NativeSearchQuery;
import org.springframework.data.elasticsearch.core.query.NativeSearchQueryBuilder;
import org.springframework.data.elasticsearch.core.query.StringQuery;
import org.springframework.data.elasticsearch.core.query.UpdateQuery;
import org.springframework.data.elasticsearch.core.reindex.ReindexRequest;
import org.springframework.data.elasticsearch.repository.ElasticsearchRepository;
import org.springframework.data.elasticsearch.repository.support.ElasticsearchRepositoryFactory;

/** An application of Spring Data Elasticsearch: products of a shop, through a repository and through the template. */
public class Shop {
  @Document(indexName = "spring-products")
  @Setting(shards = 2, replicas = 0, refreshInterval = "-1")
  public static class Product {
    @Id String id;
    @Version Long version;
    @MultiField(mainField = @Field(type = Text, analyzer = "english"), otherFields = @InnerField(suffix = "raw", type = Keyword)) String name;
    @Field(type = Keyword) String category;
    @Field(type = FieldType.Double) double price;
    @Field(type = FieldType.Boolean) boolean available;
    @Field(type = Date, format = DateFormat.date) LocalDate added;
    @GeoPointField GeoPoint store;
    @Field(type = Nested) List<Review> reviews = new ArrayList<>();

    public Product() {}

    Product(int number, String name, String category, double price) {
      id = "p" + number;
      this.name = name;
      this.category = category;
      this.price = price;
      available = number % 2 == 0;
      added = LocalDate.of(2024, 1, number);
      store = new GeoPoint(52 + number * 0.1, 13);
    }

    Product reviewed(String author, int stars) {
      Review review = new Review();
      review.author = author;
      review.stars = stars;
      reviews.add(review);
      return this;
    }
  }

  public static class Review {
    @Field(type = Keyword) String author;
    @Field(type = Integer) int stars;
  }

  @Document(indexName = "spring-notes")
  public static class Note {
    @Id String id;
    @Field(type = Long) long number;
  }

  public interface Products extends ElasticsearchRepository<Product, String> {
    List<Product> findByCategory(String category);
    List<Product> findByNameAndPriceLessThan(String name, double price);
    List<Product> findByPriceBetweenOrderByPriceDesc(double from, double to);
    List<Product> findByCategoryIn(List<String> categories);
    List<Product> findByCategoryNot(String category);
    List<Product> findByNameStartingWith(String start);
    List<Product> findByNameContaining(String part);
    List<Product> findByAvailableTrue();
    List<Product> findByAddedAfter(LocalDate day);
    List<Product> findFirst2ByOrderByPriceAsc();
    Page<Product> findByCategory(String category, Pageable page);
    long countByCategory(String category);
    boolean existsByCategory(String category);
    long deleteByCategory(String category);
    List<Product> findByReviewsAuthor(String author);

    @Query("{\"range\": {\"price\": {\"gte\": ?0}}}")
    List<Product> dearerThan(double price);

    @Highlight(fields = @HighlightField(name = "name"))
    SearchHits<Product> findByName(String name);
  }

  static void expect(Object expected, Object found) {
    if (!Objects.equals(expected, found)) throw new AssertionError("expected " + expected + ", found " + found);
  }

  static List<String> ids(Iterable<Product> products) {
    List<String> ids = new ArrayList<>();
    products.forEach(product -> ids.add(product.id));
    return ids;
  }

  static List<String> sorted(Iterable<Product> products) {
    return ids(products).stream().sorted().collect(Collectors.toList());
  }

  static List<String> hits(SearchHits<Product> hits) {
    return hits.stream().map(hit -> hit.getId()).collect(Collectors.toList());
  }

  static ClientConfiguration client(String host) {
    return ClientConfiguration.builder().connectedTo(host).withSocketTimeout(Duration.ofMinutes(1)).build();
  }

  public static void main(String[] args) throws Exception {
    try (RestHighLevelClient client = RestClients.create(client(args[0])).rest()) {
      ElasticsearchRestTemplate template = new ElasticsearchRestTemplate(client);
      Products products = new ElasticsearchRepositoryFactory(template).getRepository(Products.class);
      indices(template);
      repository(products);
      searches(template, products);
      updates(template, products);
      pages(template);
      aliasesAndTemplates(template);
      products.deleteAll();
      expect(0L, products.count());
      expect(true, template.indexOps(Product.class).delete());
      expect(false, template.indexOps(Product.class).exists());
    }
    System.out.println("ok");
  }

  static void indices(ElasticsearchRestTemplate template) {
    // The repository made it.
    var operations = template.indexOps(Product.class);
    expect(true, operations.exists());
    expect("2", operations.getSettings().get("index.number_of_shards"));
    expect(Set.of("properties"), operations.getMapping().keySet());
    Map<?, ?> mapped = (Map<?, ?>) operations.getMapping().get("properties");
    expect("nested", ((Map<?, ?>) mapped.get("reviews")).get("type"));
    expect("english", ((Map<?, ?>) mapped.get("name")).get("analyzer"));
    expect(List.of("spring-products"), operations.getInformation().stream().map(index -> index.getName()).collect(Collectors.toList()));
    expect(null, template.cluster().health().isTimedOut() ? "timed out" : null);
  }

  static void repository(Products products) {
    products.saveAll(List.of(
        new Product(1, "Red running shoes", "shoes", 80).reviewed("ann", 5).reviewed("bob", 2),
        new Product(2, "Blue walking shoes", "shoes", 60).reviewed("bob", 5),
        new Product(3, "Green jacket", "jackets", 120),
        new Product(4, "Red jacket for runners", "jackets", 150).reviewed("ann", 1),
        new Product(5, "Umbrella", "rain", 15)));
    expect(5L, products.count());
    expect("Umbrella", products.findById("p5").get().name);
    expect(LocalDate.of(2024, 1, 5), products.findById("p5").get().added);
    expect(true, products.existsById("p1"));
    expect(false, products.findById("p9").isPresent());
    expect(List.of("p1", "p2"), sorted(products.findByCategory("shoes")));
    expect(List.of("p1"), ids(products.findByNameAndPriceLessThan("red", 100)));
    expect(List.of("p3", "p1", "p2"), ids(products.findByPriceBetweenOrderByPriceDesc(60, 120)));
    expect(List.of("p1", "p2", "p5"), sorted(products.findByCategoryIn(List.of("shoes", "rain"))));
    expect(List.of("p3", "p4", "p5"), sorted(products.findByCategoryNot("shoes")));
    expect(List.of("p5"), ids(products.findByNameStartingWith("umbr")));
    expect(List.of("p3", "p4"), sorted(products.findByNameContaining("acke")));
    expect(List.of("p2", "p4"), sorted(products.findByAvailableTrue()));
    expect(List.of("p4", "p5"), sorted(products.findByAddedAfter(LocalDate.of(2024, 1, 4))));
    expect(List.of("p5", "p2"), ids(products.findFirst2ByOrderByPriceAsc()));
    expect(2L, products.countByCategory("jackets"));
    expect(true, products.existsByCategory("rain"));
    expect(List.of("p3", "p4"), sorted(products.dearerThan(100)));
    expect(List.of("p1", "p4"), sorted(products.findByReviewsAuthor("ann")));
    expect(List.of("p1", "p2", "p3"), sorted(products.findAllById(List.of("p1", "p2", "p3", "p8"))));
    Page<Product> page = products.findByCategory("jackets", PageRequest.of(1, 1, Sort.by("price").descending()));
    expect(List.of("p3"), ids(page));
    expect(2L, page.getTotalElements());
    expect(List.of("p4", "p3"), ids(products.findAll(PageRequest.of(0, 2, Sort.by(Sort.Order.desc("price"))))));
    SearchHits<Product> marked = products.findByName("run");
    expect(1L, marked.getTotalHits());
    expect(List.of("Red <em>running</em> shoes"), marked.getSearchHit(0).getHighlightField("name"));
    expect(1L, products.deleteByCategory("rain"));
    expect(4L, products.count());
    products.save(new Product(5, "Umbrella", "rain", 15));
  }

  static void searches(ElasticsearchRestTemplate template, Products products) {
    var near = new NativeSearchQueryBuilder()
        .withQuery(geoDistanceQuery("store").point(52.1, 13).distance("15km"))
        .withSorts(SortBuilders.geoDistanceSort("store", 52.1, 13));
    expect(List.of("p1", "p2"), hits(template.search(near.build(), Product.class)));
    var close = new CriteriaQuery(new Criteria("store").within(new GeoPoint(52.3, 13), "1km"));
    expect(List.of("p3"), hits(template.search(close, Product.class)));
    var praised = boolQuery().must(termQuery("reviews.author", "bob")).must(rangeQuery("reviews.stars").gte(4));
    var nested = new NativeSearchQuery(nestedQuery("reviews", praised, org.apache.lucene.search.join.ScoreMode.Avg)
        .innerHit(new org.elasticsearch.index.query.InnerHitBuilder("praise")));
    SearchHits<Product> found = template.search(nested, Product.class);
    expect(List.of("p2"), hits(found));
    expect(5, ((Review) found.getSearchHit(0).getInnerHits("praise").getSearchHit(0).getContent()).stars);
    var counted = new NativeSearchQueryBuilder()
        .withQuery(matchAllQuery())
        .withAggregations(AggregationBuilders.terms("categories").field("category")
            .subAggregation(AggregationBuilders.avg("price").field("price")))
        .withMaxResults(0);
    Aggregations aggregations = (Aggregations) template.search(counted.build(), Product.class).getAggregations().aggregations();
    Terms categories = aggregations.get("categories");
    expect(135.0, ((Avg) categories.getBucketByKey("jackets").getAggregations().get("price")).getValue());
    expect(List.of("jackets", "shoes", "rain"), categories.getBuckets().stream().map(Terms.Bucket::getKeyAsString).collect(Collectors.toList()));
    var words = new NativeSearchQueryBuilder()
        .withQuery(multiMatchQuery("red shoes", "name", "category^2"))
        .withHighlightFields(new HighlightBuilder.Field("name").preTags("<b>").postTags("</b>"))
        .withMinScore(0.1f);
    SearchHits<Product> scored = template.search(words.build(), Product.class);
    expect("p1", scored.getSearchHit(0).getId());
    expect("<b>Red</b> running <b>shoes</b>", scored.getSearchHit(0).getHighlightField("name").get(0));
    var either = new Criteria("category").is("rain").or(new Criteria("price").greaterThan(140));
    CriteriaQuery byName = new CriteriaQuery(either);
    byName.addSort(Sort.by("name.raw"));
    expect(List.of("p4", "p5"), hits(template.search(byName, Product.class)));
    var text = new StringQuery("{\"simple_query_string\": {\"query\": \"jacket -red\", \"fields\": [\"name\"], \"default_operator\": \"and\"}}");
    expect(List.of("p3"), hits(template.search(text, Product.class)));
    List<SearchHits<Product>> many = template.multiSearch(
        List.of(new NativeSearchQuery(termQuery("category", "rain")), new NativeSearchQuery(matchAllQuery())), Product.class);
    expect(List.of(1L, 5L), many.stream().map(SearchHits::getTotalHits).collect(Collectors.toList()));
    expect(2L, template.count(new NativeSearchQuery(termQuery("category", "shoes")), Product.class));
  }

  static void updates(ElasticsearchRestTemplate template, Products products) {
    var index = IndexCoordinates.of("spring-products");
    var cheaper = UpdateQuery.builder("p1").withScript("ctx._source.price = ctx._source.price - params.less")
        .withParams(Map.of("less", 10)).withLang("painless").build();
    expect("UPDATED", template.update(cheaper, index).getResult().name());
    var absent = org.springframework.data.elasticsearch.core.document.Document.from(Map.of("name", "Hat", "category", "hats", "price", 5));
    template.bulkUpdate(List.of(
        UpdateQuery.builder("p2").withDocument(org.springframework.data.elasticsearch.core.document.Document.from(Map.of("price", 55))).build(),
        UpdateQuery.builder("p6").withDocument(absent).withDocAsUpsert(true).build()), index);
    template.indexOps(Product.class).refresh();
    expect(List.of(70.0, 55.0, 5.0), List.of("p1", "p2", "p6").stream().map(id -> products.findById(id).get().price).collect(Collectors.toList()));
    Product stale = products.findById("p3").get();
    Product fresh = products.findById("p3").get();
    fresh.price = 110;
    fresh.version++;
    products.save(fresh);
    try {
      products.save(stale);
      throw new AssertionError("an old version was saved");
    } catch (RestStatusException refused) {
      expect(409, refused.getStatus());
    }
    var reindexed = template.reindex(ReindexRequest.builder(index, IndexCoordinates.of("spring-jackets"))
        .withSourceQuery(new NativeSearchQuery(termQuery("category", "jackets"))).withRefresh(true).build());
    expect(2L, reindexed.getCreated());
    var gone = template.delete(new NativeSearchQuery(matchAllQuery()), Product.class, IndexCoordinates.of("spring-jackets"));
    expect(2L, gone.getDeleted());
    template.indexOps(IndexCoordinates.of("spring-jackets")).delete();
    products.deleteById("p6");
    expect(5L, products.count());
  }

  static void pages(ElasticsearchRestTemplate template) {
    var operations = template.indexOps(Note.class);
    expect(true, operations.createWithMapping());
    List<Note> notes = IntStream.range(0, 250).mapToObj(number -> {
      Note note = new Note();
      note.id = "n" + number;
      note.number = number;
      return note;
    }).collect(Collectors.toList());
    template.save(notes);
    operations.refresh();
    long sum = 0;
    var all = new NativeSearchQueryBuilder().withQuery(matchAllQuery()).withPageable(PageRequest.of(0, 40)).build();
    try (SearchHitsIterator<Note> stream = template.searchForStream(all, Note.class)) {
      while (stream.hasNext()) sum += stream.next().getContent().number;
    }
    expect(250L * 249 / 2, sum);
    List<Object> after = null;
    int count = 0;
    do {
      var next = new NativeSearchQueryBuilder().withQuery(matchAllQuery()).withPageable(PageRequest.of(0, 100, Sort.by("number"))).build();
      if (after != null) next.setSearchAfter(after);
      SearchHits<Note> page = template.search(next, Note.class);
      after = page.hasSearchHits() ? page.getSearchHit(page.getSearchHits().size() - 1).getSortValues() : null;
      count += page.getSearchHits().size();
    } while (after != null);
    expect(250, count);
    expect(3, template.multiGet(new NativeSearchQueryBuilder().withIds("n1", "n2", "n999").build(), Note.class).size());
    operations.delete();
  }

  static void aliasesAndTemplates(ElasticsearchRestTemplate template) {
    var operations = template.indexOps(Product.class);
    operations.alias(new AliasActions(new AliasAction.Add(AliasActionParameters.builder()
        .withIndices("spring-products").withAliases("spring-shoes").withFilterQuery(new NativeSearchQuery(termQuery("category", "shoes"))).build())));
    expect(Set.of("spring-products"), operations.getAliases("spring-shoes").keySet());
    expect(2L, template.count(new NativeSearchQuery(matchAllQuery()), IndexCoordinates.of("spring-shoes")));
    operations.alias(new AliasActions(new AliasAction.Remove(AliasActionParameters.builder()
        .withIndices("spring-products").withAliases("spring-shoes").build())));
    expect(Set.of(), operations.getAliases("spring-shoes").keySet());
    var put = PutTemplateRequest.builder("spring-logs", "spring-log-*")
        .withSettings(org.springframework.data.elasticsearch.core.document.Document.from(Map.of("index.number_of_shards", 3)))
        .withMappings(template.indexOps(Note.class).createMapping()).build();
    expect(true, operations.putTemplate(put));
    expect(true, operations.existsTemplate("spring-logs"));
    expect(List.of("spring-log-*"), List.of(operations.getTemplate("spring-logs").getIndexPatterns()));
    var log = template.indexOps(IndexCoordinates.of("spring-log-1"));
    log.create();
    expect("3", log.getSettings().get("index.number_of_shards"));
    log.delete();
    expect(true, operations.deleteTemplate("spring-logs"));
  }
}
