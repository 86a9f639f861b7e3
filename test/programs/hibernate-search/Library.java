import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.hibernate.search.backend.elasticsearch.ElasticsearchExtension;
import org.hibernate.search.engine.backend.types.Aggregable;
import org.hibernate.search.engine.backend.types.Highlightable;
import org.hibernate.search.engine.backend.types.ObjectStructure;
import org.hibernate.search.engine.backend.types.Projectable;
import org.hibernate.search.engine.backend.types.Sortable;
import org.hibernate.search.engine.search.aggregation.AggregationKey;
import org.hibernate.search.engine.search.predicate.dsl.SearchPredicateFactory;
import org.hibernate.search.engine.search.predicate.dsl.PredicateFinalStep;
import org.hibernate.search.mapper.pojo.mapping.definition.annotation.AnnotatedTypeSource;
import org.hibernate.search.mapper.pojo.mapping.definition.annotation.DocumentId;
import org.hibernate.search.mapper.pojo.mapping.definition.annotation.FullTextField;
import org.hibernate.search.mapper.pojo.mapping.definition.annotation.GenericField;
import org.hibernate.search.mapper.pojo.mapping.definition.annotation.Indexed;
import org.hibernate.search.mapper.pojo.mapping.definition.annotation.IndexedEmbedded;
import org.hibernate.search.mapper.pojo.mapping.definition.annotation.KeywordField;
import org.hibernate.search.mapper.pojo.mapping.definition.annotation.SearchEntity;
import org.hibernate.search.mapper.pojo.mapping.definition.annotation.VectorField;
import org.hibernate.search.mapper.pojo.standalone.mapping.CloseableSearchMapping;
import org.hibernate.search.mapper.pojo.standalone.mapping.SearchMapping;
import org.hibernate.search.mapper.pojo.standalone.session.SearchSession;
import org.hibernate.search.util.common.data.Range;

/** Indexes a few books with Hibernate Search, and finds them in the ways that it has. */
public class Library {
  @SearchEntity
  @Indexed(index = "books")
  public static class Book {
    @DocumentId public String id;

    @FullTextField(projectable = Projectable.YES, highlightable = Highlightable.ANY)
    public String title;

    @KeywordField(sortable = Sortable.YES, aggregable = Aggregable.YES)
    public String genre;

    @GenericField(sortable = Sortable.YES, aggregable = Aggregable.YES)
    public Integer pages;

    @GenericField(sortable = Sortable.YES)
    public LocalDate published;

    @IndexedEmbedded(structure = ObjectStructure.NESTED)
    public List<Author> authors = new ArrayList<>();

    @VectorField(dimension = 2)
    public float[] place;

    public Book() {}

    Book(String id, String title, String genre, int pages, LocalDate published, float[] place, String... authors) {
      this.id = id;
      this.title = title;
      this.genre = genre;
      this.pages = pages;
      this.published = published;
      this.place = place;
      for (String author : authors) this.authors.add(new Author(author));
    }
  }

  public static class Author {
    @FullTextField public String name;

    public Author() {}

    Author(String name) {
      this.name = name;
    }
  }

  interface Predicate {
    PredicateFinalStep of(SearchPredicateFactory f);
  }

  static List<String> ids(SearchSession session, Predicate predicate) {
    return session.search(Book.class).select(f -> f.id(String.class)).where(predicate::of).sort(f -> f.score().then().field("pages")).fetchAllHits();
  }

  static void expect(Object found, Object wanted) {
    if (!found.equals(wanted)) throw new AssertionError(found + " instead of " + wanted);
  }

  static void index(SearchMapping mapping) {
    try (SearchSession session = mapping.createSession()) {
      var plan = session.indexingPlan();
      plan.add(new Book("1", "The quick brown fox", "novel", 100, LocalDate.of(2020, 1, 2), new float[] {1, 0}, "Ann Lee", "Bob Ray"));
      plan.add(new Book("2", "Lazy dogs sleep", "novel", 250, LocalDate.of(2021, 5, 2), new float[] {0, 1}, "Ann Ray"));
      plan.add(new Book("3", "Quick recipes", "cooking", 90, LocalDate.of(2022, 7, 9), new float[] {0.7f, 0.7f}, "Zed Kay"));
    }
  }

  static void search(SearchSession session) {
    expect(ids(session, f -> f.match().field("title").matching("quick")), List.of("3", "1"));
    expect(ids(session, f -> f.match().field("title").matching("quikc").fuzzy()), List.of("3", "1"));
    expect(ids(session, f -> f.phrase().field("title").matching("brown fox")), List.of("1"));
    expect(ids(session, f -> f.simpleQueryString().field("title").matching("quick + (fox | dogs)")), List.of("1"));
    expect(ids(session, f -> f.queryString().field("title").matching("qui* AND NOT fox")), List.of("3"));
    expect(ids(session, f -> f.bool().must(f.range().field("pages").atLeast(95)).filter(f.terms().field("genre").matchingAny("novel"))), List.of("1", "2"));
    expect(ids(session, f -> f.nested("authors").add(f.match().field("authors.name").matching("Ann")).add(f.match().field("authors.name").matching("Ray"))), List.of("2"));
    expect(ids(session, f -> f.knn(2).field("place").matching(0.9f, 0.1f)), List.of("1", "3"));
    expect(ids(session, f -> f.knn(2).field("place").matching(0.9f, 0.1f).filter(f.match().field("genre").matching("cooking"))), List.of("3"));
    expect(ids(session, f -> f.bool().should(f.knn(1).field("place").matching(0.9f, 0.1f)).should(f.match().field("title").matching("dogs"))), List.of("1", "2"));

    AggregationKey<Map<String, Long>> genres = AggregationKey.of("genres");
    AggregationKey<Map<Range<Integer>, Long>> sizes = AggregationKey.of("sizes");
    var counted = session.search(Book.class).where(f -> f.matchAll())
        .aggregation(genres, f -> f.terms().field("genre", String.class))
        .aggregation(sizes, f -> f.range().field("pages", Integer.class).range(0, 100).range(100, null)).fetch(0);
    expect(counted.aggregation(genres), Map.of("novel", 2L, "cooking", 1L));
    expect(List.copyOf(counted.aggregation(sizes).values()), List.of(1L, 2L));
    expect(counted.total().hitCount(), 3L);

    expect(session.search(Book.class).select(f -> f.highlight("title")).where(f -> f.match().field("title").matching("fox"))
        .highlighter(f -> f.unified().tag("<b>", "</b>")).fetchAllHits(), List.of(List.of("The quick brown <b>fox</b>")));
    var explained = session.search(Book.class).extension(ElasticsearchExtension.get()).where(f -> f.match().field("title").matching("quick")).toQuery().explain("1");
    expect(explained.get("matched").getAsBoolean(), true);
    try (var pages = session.search(Book.class).select(f -> f.id(String.class)).where(f -> f.matchAll()).sort(f -> f.field("published").desc()).scroll(2)) {
      List<String> all = new ArrayList<>();
      for (var page = pages.next(); page.hasHits(); page = pages.next()) all.addAll(page.hits());
      expect(all, List.of("3", "2", "1"));
    }
  }

  public static void main(String[] args) {
    try (CloseableSearchMapping mapping = SearchMapping.builder(AnnotatedTypeSource.fromClasses(Book.class, Author.class))
        .property("hibernate.search.backend.uris", args[0])
        .property("hibernate.search.schema_management.strategy", "drop-and-create").build()) {
      index(mapping);
      try (SearchSession session = mapping.createSession()) {
        session.workspace().refresh();
        search(session);
        session.schemaManager().validate();
        session.workspace().mergeSegments();
        session.workspace().flush();
        session.workspace().purge(Set.of());
        session.workspace().refresh();
        expect(ids(session, f -> f.matchAll()), List.of());
      }
    }
    System.out.println("ok");
  }
}
