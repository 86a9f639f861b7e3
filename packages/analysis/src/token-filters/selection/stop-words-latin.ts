/**
 * Stop words of languages in Latin script: the lists that Lucene has, as a server removes them.
 */

/** Words of each list, separated by blanks. */
export const LATIN_STOP_WORDS: Readonly<Record<string, string>> = {
  basque:
    'al anitz arabera asko baina bat batean batek bati batzuei batzuek batzuetan batzuk bera beraiek berau berauek ' +
    'bere berori beroriek beste bezala da dago dira ditu du dute edo egin ere eta eurak ez gainera gu gutxi guzti ' +
    'haiei haiek haietan hainbeste hala han handik hango hara hari hark hartan hau hauei hauek hauetan hemen hemendik ' +
    'hemengo hi hona honek honela honetan honi hor hori horiei horiek horietan horko horra horrek horrela horretan ' +
    'horri hortik hura izan ni noiz nola non nondik nongo nor nora ze zein zen zenbait zenbat zer zergatik ziren ' +
    'zituen zu zuek zuen zuten',
  brazilian:
    'as na se da a do e em ha o tal teus com contra de entre esta qual que seu seus sobre teu uns nas os ao nos um ' +
    'estas por dos mais ou aos aqueles das dela deles desde deste ela elas eles este estes isto neste pois nem sem ' +
    'durante esse mediante proprio quando quanto sua tua ainda alem ambas ambos antes aonde apos aquele assim como ' +
    'contudo cuja cujas cujo cujos dele demais depois desta dispoe dispoem diversa diversas diversos ele entao essa ' +
    'essas esses isso logo mas menos mesma mesmas mesmo mesmos nao nesse outra outras outro outros pelas pelo pelos ' +
    'perante porque portanto propios quais qualquer quem quer seja sendo sob suas tambem toda todas todo todos tuas ' +
    'tudo uma umas',
  catalan:
    "al en ma van han hi ni a ah d'un e eh el em ha he hem ho i la me ne o oh on pas ta tal teus un us va abans ací " +
    'així això aleshores algun alguna algunes alguns alhora allà allí allò als altra altre altres amb ambdues ambdós ' +
    'apa aquell aquella aquelles aquells aquest aquesta aquestes aquests aquí baix cada cadascuna cadascunes ' +
    "cadascuns cadascú com contra d'una d'unes d'uns dalt de del dels des després dins dintre donat doncs durant els " +
    'encara ens entre eren es esta estaven esteu està estàvem estàveu et etc ets fins fora gairebé has havia heu ' +
    "igual iguals ja l'hi les li li'n llavors m'he mal malgrat mateix mateixa mateixes mateixos mentre meu meus meva " +
    "meves molt molta moltes molts mon mons més n'he n'hi no nogensmenys només nosaltres nostra nostre nostres oi pel " +
    'pels per perquè però poc poca pocs poques potser propi qual quals quan quant que quelcom qui quin quina quines ' +
    "quins què s'ha s'han sa semblant semblants ses seu seus seva seves si sobre sobretot solament sols son sons sota " +
    "sou sóc són t'ha t'han t'he també tampoc tan tant tanta tantes teu teva teves ton tons tot tota totes tots una " +
    'unes uns vaig vam vas veu vosaltres vostra vostre vostres érem éreu és',
  czech:
    'by my na se ze a bez do ho i o on po re ta tak tu za si je mi nad od ona oni ono pak pod s to u vaše aby aj ale ' +
    'ani asi atd atp až bude budem budeš byl byla byli bylo být co což cz další dnes jak jakmile jako jakož jeho ' +
    'jehož jej jejich její jelikož jemu jen ještě jež ji jiné již jsem jseš jsme jsou jste já jí jíž k kam kde kdo ' +
    'když ke kterou která které který kteří mezi mne má máte mít mě můj může napište načež naši nebo neg nejsou není ' +
    'než nic nové nový nám nás němu němuž ony podle pokud pouze pravé pro proto protože proč první pta před přes při ' +
    'přičemž strana své svých svým svými také takže tato tedy ten tento teto tipy tohle toho tohoto tom tomto tomu ' +
    'tomuto tuto ty tyto téma tím tímto těm těmu už v ve vy vám vás více však z zda zde zprávy zpět či článku články',
  danish:
    'af en om op da du han den din end er i mod vi de et jo som jer mit ad alle alt anden at blev blive bliver dem ' +
    'denne der deres det dette dig disse dog efter eller for fra ham hans har havde have hende hendes her hos hun ' +
    'hvad hvis hvor ikke ind jeg kunne man mange med meget men mig min mine ned noget nogle nu når og også os over på ' +
    'selv sig sin sine sit skal skulle sådan thi til ud under var vil ville vor være været',
  dutch:
    'aan al daar dat die dit een en haar het in is kan maar met na om ons op te uit van was wat ze dan deze er hem me ' +
    'zo als de ja tot je u der hun men nu over alles altijd andere ben bij doch doen door dus eens ge geen geweest ' +
    'had heb hebben heeft hier hij hoe iemand iets ik kon kunnen meer mij mijn moet naar niet niets nog of omdat ' +
    'onder ook reeds tegen toch toen uw veel voor want waren werd wezen wie wil worden wordt zal zelf zich zij zijn ' +
    'zonder zou',
  english:
    'a an and are as at be but by for if in into is it no not of on or such that the their then there these they this ' +
    'to was will with',
  finnish:
    'en se te he me ne on et ja kun nyt ei olen oli eivät emme ette että heidän heidät heihin heille heillä heiltä ' +
    'heissä heistä heitä hän häneen hänelle hänellä häneltä hänen hänessä hänestä hänet häntä itse johon joiden ' +
    'joihin joiksi joilla joille joilta joina joissa joista joita joka joksi jolla jolle jolta jona jonka jos jossa ' +
    'josta jota jotka kanssa keiden keihin keiksi keille keillä keiltä keinä keissä keistä keitä keneen keneksi ' +
    'kenelle kenellä keneltä kenen kenenä kenessä kenestä kenet ketkä ketä koska kuin kuka meidän meidät meihin ' +
    'meille meillä meiltä meissä meistä meitä mihin miksi mikä mille millä miltä minkä minua minulla minulle minulta ' +
    'minun minussa minusta minut minuun minä missä mistä mitkä mitä mukaan mutta niiden niihin niiksi niille niillä ' +
    'niiltä niin niinä niissä niistä niitä noiden noihin noiksi noilla noille noilta noin noina noissa noista noita ' +
    'nuo näiden näihin näiksi näille näillä näiltä näinä näissä näistä näitä nämä ole olemme olet olette olimme olin ' +
    'olisi olisimme olisin olisit olisitte olisivat olit olitte olivat olla olleet ollut ovat poikki sekä sen siihen ' +
    'siinä siitä siksi sille sillä siltä sinua sinulla sinulle sinulta sinun sinussa sinusta sinut sinuun sinä sitä ' +
    'tai teidän teidät teihin teille teillä teiltä teissä teistä teitä tuo tuohon tuoksi tuolla tuolle tuolta tuon ' +
    'tuona tuossa tuosta tuota tähän täksi tälle tällä tältä tämä tämän tänä tässä tästä tätä vaan vai vaikka yli',
  french:
    'en ma se te du eus la me mes n ne on pas ta tu un de des es et les mon que qui sa ses ton je s ai au c d il j l ' +
    'm nos t y sur moi aie aient aies ait aurai auraient aurais aurait aurez auriez aurions aurons auront aux avaient ' +
    'avais avait avec avez aviez avons ayant ayez ayons ce ceci cela celà ces cet cette dans elle eu eue eues eurent ' +
    'eusse eussent eusses eussiez eussions eut eux eûmes eût eûtes furent fus fusse fussent fusses fussiez fussions ' +
    'fut fûmes fûtes ici ils le leur leurs lui mais même notre nous ont ou par pour qu quel quelle quelles quels sans ' +
    'sera serai seraient serais serait seras serez seriez serions serons seront soi soient sois soit sont soyez ' +
    'soyons suis tes toi une vos votre vous à étaient étais était étant étiez étions étée étées êtes',
  galician:
    'as en na se te da non a do e el esa la me o ser teus ti un aquí de del era esta meu meus no que seu seus sobre ' +
    'tan teu uns nas co ten min os ben ao con nos nin nun por moi dos eu las mais ou vos alí aos aquel aquela aquelas ' +
    'aqueles aquilo así aínda cando che coa coas comigo connosco contigo convosco cos cun cunha cunhas cuns dalgunha ' +
    'dalgunhas dalgún dalgúns das dela delas deles desde deste dun dunha dunhas duns ela elas eles eran esas ese eses ' +
    'estaba estar este estes estiven estou está están facer foi foron fun había hai iso isto lle lles lo los miña ' +
    'miñas neste nosa nosas noso nosos nunha nunhas nuns nós para pero pode pois pola polas polo polos senón sexa ' +
    'sido súa súas tamén ter teñen teño tido tiven tiña túa túas unha unhas vosa vosas voso vosos vós á é ó ós',
  german:
    'die in so was da du zu am an den er kein war als des es uns jeden mit alle dem der man vor alles ander andere ' +
    'anders doch hier noch waren weg werden wie also im um will nun nur sein das aber allem allen aller anderem ' +
    'anderen anderer anderes anderm andern anderr auch auf aus bei bin bis bist damit dann dasselbe dazu daß dein ' +
    'deine deinem deinen deiner deines demselben denn denselben derer derselbe derselben desselben dessen dich dies ' +
    'diese dieselbe dieselben diesem diesen dieser dieses dir dort durch ein eine einem einen einer eines einig ' +
    'einige einigem einigen einiger einiges einmal etwas euch euer eure eurem euren eurer eures für gegen gewesen hab ' +
    'habe haben hat hatte hatten hin hinter ich ihm ihn ihnen ihr ihre ihrem ihren ihrer ihres indem ins ist jede ' +
    'jedem jeder jedes jene jenem jenen jener jenes jetzt kann keine keinem keinen keiner keines können könnte machen ' +
    'manche manchem manchen mancher manches mein meine meinem meinen meiner meines mich mir muss musste nach nicht ' +
    'nichts ob oder ohne sehr seine seinem seinen seiner seines selbst sich sie sind solche solchem solchen solcher ' +
    'solches soll sollte sondern sonst und unse unsem unsen unser unses unter viel vom von warst weil weiter welche ' +
    'welchem welchen welcher welches wenn werde wieder wir wird wirst wo wollen wollte während würde würden zum zur ' +
    'zwar zwischen über',
  hungarian:
    'van ez a az e el ne de és mi neki s mit be ill ki most ellen abban ahhoz ahogy ahol aki akik akkor alatt amely ' +
    'amelyek amelyekben amelyeket amelyet amelynek ami amikor amit amolyan amíg annak arra arról azok azon azonban ' +
    'azt aztán azután azzal azért belül benne bár cikk cikkek cikkeket csak ebben eddig egy egyes egyetlen egyik ' +
    'egyre egyéb egész ehhez ekkor első elég elő először előtt emilyen ennek erre ezek ezen ezt ezzel ezért fel felé ' +
    'hanem hiszen hogy hogyan igen ill. illetve ilyen ilyenkor ismét ison itt jobban jó jól kell kellett keressünk ' +
    'keresztül kívül között közül legalább legyen lehet lehetett lenne lenni lesz lett maga magát majd meg mellett ' +
    'mely melyek mert mikor milyen minden mindenki mindent mindig mint mintha mivel miért már más másik még míg nagy ' +
    'nagyobb nagyon nekem nem nincs néha néhány nélkül olyan ott pedig persze rá saját sem semmi sok sokat sokkal ' +
    'szemben szerint szinte számára talán tehát teljes tovább továbbá több ugyanis utolsó után utána vagy vagyis ' +
    'vagyok valaki valami valamint való vannak vele vissza viszont volna volt voltak voltam voltunk által általában ' +
    'át én éppen így össze úgy új újabb újra ő ők őket',
  indonesian:
    'kan se dan di tak apa per bila ke sama para ada adalah adanya adapun agak agaknya agar akan akankah akhirnya aku ' +
    'akulah amat amatlah anda andalah antar antara antaranya apaan apabila apakah apalagi apatah atau ataukah ataupun ' +
    'bagai bagaikan bagaimana bagaimanakah bagaimanapun bagi bahkan bahwa bahwasanya banyak beberapa begini beginian ' +
    'beginikah beginilah begitu begitukah begitulah begitupun belum belumlah berapa berapakah berapalah berapapun ' +
    'bermacam bersama betulkah biasa biasanya bilakah bisa bisakah boleh bolehkah bolehlah buat bukan bukankah ' +
    'bukanlah bukannya cuma dahulu dalam dapat dari daripada dekat demi demikian demikianlah dengan depan dia dialah ' +
    'diantara diantaranya dikarenakan dini diri dirinya disini disinilah dong dulu enggak enggaknya entah entahlah ' +
    'hal hampir hanya hanyalah harus haruslah harusnya hendak hendaklah hendaknya hingga ia ialah ibarat ingin ' +
    'inginkah inginkan ini inikah inilah itu itukah itulah jangan jangankan janganlah jika jikalau juga justru kala ' +
    'kalau kalaulah kalaupun kalian kami kamilah kamu kamulah kapan kapankah kapanpun karena karenanya kecil kemudian ' +
    'kenapa kepada kepadanya ketika khususnya kini kinilah kiranya kita kitalah kok lagi lagian lah lain lainnya lalu ' +
    'lama lamanya lebih macam maka makanya makin malah malahan mampu mampukah mana manakala manalagi masih masihkah ' +
    'masing mau maupun melainkan melalui memang mengapa mereka merekalah merupakan meski meskipun mungkin mungkinkah ' +
    'nah namun nanti nantinya nyaris oleh olehnya pada padahal padanya paling pantas pasti pastilah percuma pernah ' +
    'pula pun rupanya saat saatnya saja sajalah saling sambil sampai sana sangat sangatlah saya sayalah sebab ' +
    'sebabnya sebagai sebagaimana sebagainya sebaliknya sebanyak sebegini sebegitu sebelum sebelumnya sebenarnya ' +
    'seberapa sebetulnya sebisanya sebuah sedang sedangkan sedemikian sedikit sedikitnya segala segalanya segera ' +
    'seharusnya sehingga sejak sejenak sekali sekalian sekaligus sekalipun sekarang seketika sekiranya sekitar ' +
    'sekitarnya sela selagi selain selaku selalu selama selamanya seluruh seluruhnya semacam semakin semasih semaunya ' +
    'sementara sempat semua semuanya semula sendiri sendirinya seolah seorang sepanjang sepantasnya sepantasnyalah ' +
    'seperti sepertinya sering seringnya serta serupa sesaat sesama sesegera sesekali seseorang sesuatu sesuatunya ' +
    'sesudah sesudahnya setelah seterusnya setiap setidaknya sewaktu siapa siapakah siapapun sini sinilah suatu sudah ' +
    'sudahkah sudahlah supaya tadi tadinya tanpa tapi telah tentang tentu tentulah tentunya terdiri terhadap ' +
    'terhadapnya terlalu terlebih tersebut tersebutlah tertentu tetapi tiap tidak tidakkah tidaklah toh waduh wah ' +
    'wahai walau walaupun wong yaitu yakni yang',
  irish:
    "as in is na a ag an aon ar ba d' den do i mar de sa mé ná ní os don go mo um le é ó ach ins nach ina agus arna " +
    "b' beirt bhúr caoga ceathair ceathrar chomh chtó chuig chun cois céad cúig cúigear daichead dar deich deichniúr " +
    "dhá dtí dá dár dó faoi faoin faoina faoinár fara fiche gach gan gur haon hocht iad idir inár leis lena lenár m' " +
    'naoi naonúr níor nó nócha ocht ochtar roimh seacht seachtar seachtó seasca seisear siad sibh sinn sna sé sí tar ' +
    'thar thú triúr trí trína trínár tríocha tú ár éis í ón óna ónár',
  italian:
    'al in ma se da non a all allo dal di e ha ho i la ne o ti tra tu un vi del era li nostra nostre per si una ' +
    'vostra vostre mi su ci sta sto ad alle ai c come con ed il io l mia sia alla eri tuo voi le lui quanta quelle ' +
    'che hai lo sei ebbe abbia abbiamo abbiano abbiate agl agli anche avemmo avendo avesse avessero avessi avessimo ' +
    'aveste avesti avete aveva avevamo avevano avevate avevi avevo avrai avranno avrebbe avrebbero avrei avremmo ' +
    'avremo avreste avresti avrete avrà avrò avuta avute avuti avuto chi coi col contro cui dagl dagli dai dall dalla ' +
    'dalle dallo degl degli dei dell della delle dello dov dove ebbero ebbi erano eravamo eravate ero essendo faccia ' +
    'facciamo facciano facciate faccio facemmo facendo facesse facessero facessi facessimo faceste facesti faceva ' +
    'facevamo facevano facevate facevi facevo fai fanno farai faranno farebbe farebbero farei faremmo faremo fareste ' +
    'faresti farete farà farò fece fecero feci fosse fossero fossi fossimo foste fosti fu fui fummo furono gli hanno ' +
    'lei loro mie miei mio negl negli nei nel nell nella nelle nello noi nostri nostro perché più quale quante quanti ' +
    'quanto quella quelli quello questa queste questi questo sarai saranno sarebbe sarebbero sarei saremmo saremo ' +
    'sareste saresti sarete sarà sarò siamo siano siate siete sono stai stando stanno starai staranno starebbe ' +
    'starebbero starei staremmo staremo stareste staresti starete starà starò stava stavamo stavano stavate stavi ' +
    'stavo stemmo stesse stessero stessi stessimo steste stesti stette stettero stetti stia stiamo stiano stiate sua ' +
    'sue sugl sugli sui sul sull sulla sulle sullo suo suoi tua tue tuoi tutti tutto uno vostri vostro è',
  latvian:
    'te ar bet bez it ne pa tak tik un ja jo no iz uz nu var ik ir esi vai par gar ka tapi gan itin lai pat tad vien ' +
    'vis aiz ap apakš apakšpus arī augšpus bija biji biju bijām bijāt būs būsi būsiet būsim būt būšu caur diemžēl ' +
    'diezin droši dēļ esam esat esmu iekam iekams iekām iekāms iekš iekšpus jau jeb jebšu jel jā kamēr kaut kolīdz ' +
    'kopš kā kļuva kļuvi kļuvu kļuvām kļuvāt kļūs kļūsi kļūsiet kļūsim kļūst kļūstam kļūstat kļūsti kļūstu kļūt kļūšu ' +
    'labad lejpus līdz līdzko nebūt nedz nekā nevis nezin nē otrpus pie pirms pret priekš pār pēc starp taps tapsi ' +
    'tapsiet tapsim tapt tapāt tapšu taču tiec tiek tiekam tiekat tieku tika tikai tiki tikko tiklab tiklīdz tiks ' +
    'tiksiet tiksim tikt tiku tikvien tikām tikāt tikšu tomēr topat turpretim turpretī tā tādēļ tālab tāpēc varat ' +
    'varēja varēji varēju varējām varējāt varēs varēsi varēsiet varēsim varēt varēšu virs virspus viņpus zem ārpus ' +
    'šaipus',
  lithuanian:
    'ant apie ar arba aš be bei bet bus būti būtų buvo dėl gali į iki ir iš ja ją jai jais jam jame jas jei ji jį ' +
    'jie jiedu jiedvi jiedviem jiedviese jiems jis jo jodviem jog joje jomis joms jos jose jų judu judvi judviejų ' +
    'jųdviejų judviem judviese jumis jums jumyse juo juodu juodviese juos juose jus jūs jūsų ką kad kai kaip kas ' +
    'kiek kol kur kurie kuris man mane manęs manimi mano manyje mes metu mudu mudvi mudviejų mudviem mudviese mumis ' +
    'mums mumyse mus mūsų nei nes net nors nuo o pat per po prie prieš sau save savęs savimi savo savyje su tačiau ' +
    'tada tai taip tas tau tave tavęs tavimi tavyje ten to todėl tu tuo už visi yra',
  norwegian:
    'en kan kom om so da du han den di din er ha ho i me vi de elles et ja no si som mi alle at bare begge dem denne ' +
    'der deres det dette disse eller for fordi fra før hans har her hun hvem hver hvilken hvis hvor hvordan hvorfor ' +
    'ikke ingen jeg kun kunne man mange med meget men min mine ned når og også over på selv sin sine skal skulle så ' +
    'til var ved vil ville være hoe eg um kvar sia mot ein meg dei ut av ble blei bli blir blitt både båe deg deim ' +
    'deira deires dere ditt dykk dykkar då eit eitt enn ett etter hadde hennar henne hennes hjå honom hoss hossen hva ' +
    'hvilke ikkje ingi inkje inn inni korleis korso kva kvarhelst kven kvi kvifor medan mellom mitt mykje noe noen ' +
    'noka noko nokon nokor nokre nå opp oss samme seg sidan siden sitt sjøl slik somme somt sånn upp uten vart varte ' +
    'vere verte vore vors vort vår vært å',
  portuguese:
    'as na se te da a do e em hei me o teus tu com de entre era esta estava fora meu meus no qual que seu seus sou ' +
    'teu nas já for os ao nos um estas por dos eu mais ou vos à aos aquela aquelas aqueles aquilo das dela delas ' +
    'deles ela elas eles este estes estou está foi isto nós para nem sem esse fosse fui quando sua tua aquele até ' +
    'como dele depois ele eram essa essas esses estamos estavam esteja estejam estejamos esteve estive estivemos ' +
    'estiver estivera estiveram estiverem estivermos estivesse estivessem estivéramos estivéssemos estávamos estão ' +
    'fomos foram forem formos fossem fôramos fôssemos haja hajam hajamos havemos houve houvemos houver houvera ' +
    'houveram houverei houverem houveremos houveria houveriam houvermos houverá houverão houveríamos houvesse ' +
    'houvessem houvéramos houvéssemos há hão isso lhe lhes mas mesmo minha minhas muito nossa nossas nosso nossos num ' +
    'numa não pela pelas pelo pelos quem seja sejam sejamos serei seremos seria seriam será serão seríamos somos suas ' +
    'são só também tem temos tenha tenham tenhamos tenho terei teremos teria teriam terá terão teríamos teve tinha ' +
    'tinham tive tivemos tiver tivera tiveram tiverem tivermos tivesse tivessem tivéramos tivéssemos tuas tém ' +
    'tínhamos uma você vocês às éramos',
  romanian:
    'al se te da am ar din el la ne pe prin ta tu un vi contra de dintre fi li meu sa tot una mi ale mine nu ai are ' +
    'au ca cu face sub ei voi ce deja eu le lui este dar ieri noi prima tale cum sunt sau mei ele eram fim acea ' +
    'aceasta această aceea acei aceia acel acela acele acelea acest acesta aceste acestea aceşti aceştia acolo acum ' +
    'aia aibă aici alea altceva altcineva asemenea asta astea astăzi asupra avea avem aveţi azi aş aşadar aţi bine ' +
    'bucur bună care cel ceva chiar cine cineva cumva curând curînd când cât câte câtva câţi cînd cît cîte cîtva cîţi ' +
    'că căci cărei căror cărui către dacă datorită deci deoarece departe deşi dinaintea dintr drept după dă ea eşti ' +
    'fie fiecare fii fiţi fără iar lor lângă lîngă mea mele mereu mult multă mulţi mâine mă nici nicăieri nimeni ' +
    'nişte noastre noastră nostru noştri ori oricare orice oricine oricum oricând oricât oricînd oricît oriunde ' +
    'pentru peste poate pot prea primul până pînă sale spre suntem sunteţi sînt sîntem sînteţi să săi său tine toate ' +
    'toată totuşi toţi tăi tău unde undeva unei unele uneori unor voastre voastră vostru vouă voştri vreo vreun vă îi ' +
    'îl îmi împotriva în înainte înaintea încotro încât încît între întrucât întrucît îţi ăla ălea ăsta ăstea ăştia ' +
    'şi ţi ţie printr',
  spanish:
    'al en se te han ni a e el esa ha he la me o ti tu un contra de del entre era eres es esta has les no que sobre ' +
    'son una mi su mí os sin con nos y estas estos por mis las le sois desde eran esas ese estaba estar este está ' +
    'están había lo los para pero sido ya más sí tú durante ella fui poco tanto uno algo antes como estado estamos ' +
    'estará estás nada porque seremos será seríamos somos todo todos éramos sus algunas algunos ante cual cuando ' +
    'donde ellas ellos erais eras eso esos estabais estaban estabas estad estada estadas estados estando estaremos ' +
    'estarán estarás estaré estaréis estaría estaríais estaríamos estarían estarías estemos esto estoy estuve ' +
    'estuviera estuvierais estuvieran estuvieras estuvieron estuviese estuvieseis estuviesen estuvieses estuvimos ' +
    'estuviste estuvisteis estuviéramos estuviésemos estuvo estábamos estáis esté estéis estén estés fue fuera ' +
    'fuerais fueran fueras fueron fuese fueseis fuesen fueses fuimos fuiste fuisteis fuéramos fuésemos habida habidas ' +
    'habido habidos habiendo habremos habrá habrán habrás habré habréis habría habríais habríamos habrían habrías ' +
    'habéis habíais habíamos habían habías hasta hay haya hayamos hayan hayas hayáis hemos hube hubiera hubierais ' +
    'hubieran hubieras hubieron hubiese hubieseis hubiesen hubieses hubimos hubiste hubisteis hubiéramos hubiésemos ' +
    'hubo mucho muchos muy mía mías mío míos nosotras nosotros nuestra nuestras nuestro nuestros otra otras otro ' +
    'otros quien quienes qué sea seamos sean seas serán serás seré seréis sería seríais serían serías seáis siendo ' +
    'soy suya suyas suyo suyos también tendremos tendrá tendrán tendrás tendré tendréis tendría tendríais tendríamos ' +
    'tendrían tendrías tened tenemos tenga tengamos tengan tengas tengo tengáis tenida tenidas tenido tenidos ' +
    'teniendo tenéis tenía teníais teníamos tenían tenías tiene tienen tienes tus tuve tuviera tuvierais tuvieran ' +
    'tuvieras tuvieron tuviese tuvieseis tuviesen tuvieses tuvimos tuviste tuvisteis tuviéramos tuviésemos tuvo tuya ' +
    'tuyas tuyo tuyos unos vosotras vosotros vuestra vuestras vuestro vuestros yo él',
  swedish:
    'en kan om du han ni den din er ha hon i vi de era som ju blev dem det dig efter ej eller hans har ingen man med ' +
    'men mig min nu på sig sin skulle så sådan under var till alla mot ut av bli blir ditt då ett henne hennes honom ' +
    'mitt oss upp vart vår dessa vem inom allt att blivit denna deras dess detta dina där ert från för hade hur här ' +
    'icke inte jag kunde mellan mina mycket när någon något några och samma sedan sina sitta själv sådana sådant utan ' +
    'vad vara varför varit varje vars vid vilka vilkas vilken vilket våra vårt än är åt över',
  turkish:
    'en da hem hep ne o on de mu ona ve her var ben ki sen bin ya beri iki kadar ile bile eden acaba altmış altı ama ' +
    'ancak arada aslında ayrıca bana bazı belki benden beni benim beş bir biri birkaç birkez birçok birşey birşeyi ' +
    'biz bizden bize bizi bizim bu buna bunda bundan bunlar bunları bunların bunu bunun burada böyle böylece daha ' +
    'dahi defa değil diye diğer doksan dokuz dolayı dolayısıyla dört edecek ederek edilecek ediliyor edilmesi ediyor ' +
    'elli etmesi etti ettiği ettiğini eğer gibi göre halen hangi hatta henüz hepsi herhangi herkesin hiç hiçbir ' +
    'ilgili ise itibaren itibariyle için işte karşın katrilyon kendi kendilerine kendini kendisi kendisine kendisini ' +
    'kez kim kimden kime kimi kimse kırk milyar milyon mü mı nasıl neden nedenle nerde nerede nereye niye niçin olan ' +
    'olarak oldu olduklarını olduğu olduğunu olmadı olmadığı olmak olması olmayan olmaz olsa olsun olup olur olursa ' +
    'oluyor ondan onlar onlardan onları onların onu onun otuz oysa pek rağmen sadece sanki sekiz seksen senden seni ' +
    'senin siz sizden sizi sizin tarafından trilyon tüm vardı veya yani yapacak yapmak yaptı yaptıkları yaptığı ' +
    'yaptığını yapılan yapılması yapıyor yedi yerine yetmiş yine yirmi yoksa yüz zaten çok çünkü öyle üzere üç şey ' +
    'şeyden şeyi şeyler şu şuna şunda şundan şunları şunu şöyle',
};
