"""The readings of 偎麻雀 (rules §2 to §7), in the order of the rules page."""

from engine.reading import Reading

READINGS: tuple[Reading, ...] = (
    Reading(
        id="R-LAST",
        zh="原文没说最后一张底牌能不能碰、吃。这里：只能胡或栽；栽了之后打出的牌也没有人能要。last_card_claims 可改。",
        en="The text does not say whether the last stock card may be claimed. Here: it may only be won on or 栽'd, and no discard "
        "behind it may be claimed; last_card_claims changes that.",
    ),
    Reading(
        id="R-PASS",
        zh="过张。碰：手中有两张，别人出的或亮出的那张没碰，或被人（连自己）吃掉，这盘不能再碰那个字；栽和胡不受限。吃："
        "出或揭的牌没有人要，出牌人和他的下家这盘都不能再吃那个字（chi_passed 可改）；下家吃了揭的牌，揭牌人照样过了。"
        "被碰走的牌没有轮到吃，下家不算过；叫了能要的牌而被别人压过的，不算过。",
        en="过张. 碰: who holds two of a kind and lets another's discard or shown reveal of it go by, or be 吃'd by anyone, "
        "himself included, may not 碰 that kind again in this hand; 栽 and 胡 are never blocked. 吃: where a card goes by "
        "unclaimed, whoever played it and his 下家 lose 吃 of that kind (chi_passed changes that); a revealer whose reveal is "
        "吃'd by 下家 loses it too. A card taken by 碰 was never offered for 吃, and whose possible 叫 was overridden has let "
        "nothing pass.",
    ),
    Reading(
        id="R-CLAIMED",
        zh="“自己吃过或碰过的字不能出”只指要来的那张字，整盘有效。discard_ban 可改为整句话的字。",
        en="“What one has 吃'd or 碰'd may not be discarded” means the claimed card's kind only, for the whole hand; "
        "discard_ban may extend it to every card of the meld.",
    ),
    Reading(
        id="R-KAN",
        zh="“手中有三张相同的字不能出”：有三张或四张时都不能出，每次出牌时看手中；栽用去两张后剩下的一张可以出；砍可以拆开吃、碰。",
        en="“Three alike may not be discarded”: barred while three or four are in hand, looked at anew at each discard. What a "
        "栽 leaves of three may be discarded, and a 砍 may be split for 吃 or 碰.",
    ),
    Reading(
        id="R-DEAD",
        zh="要了牌而没有能出的牌：可以要，但从此是死手，即使照样出了牌：这盘不再要牌、不再胡、不再出牌，由下家揭牌；"
        "他轮到时照样揭。栽了以后仍可当场胡。forbid_dead_claim 可禁止这样吃、碰。",
        en="Taking a card that leaves no card to discard is allowed, and the player is a dead hand from then on, even if he "
        "discards all the same: he takes, wins and discards nothing more in this hand, and his 下家 reveals; he still reveals "
        "in his turn. After a 栽 he may win at once. forbid_dead_claim forbids such a 吃 or 碰.",
    ),
    Reading(
        id="R-WEI-FIRST",
        zh="自己揭的字手中有两张以上，要胡也得先栽再胡。",
        en="A win on one's own reveal of which one holds two or more goes through 栽 first.",
    ),
    Reading(
        id="R-MULT",
        zh="原文时而说“胡的息数乘”，时而说硬息乘。这里：只乘硬息，名堂息另加。multiplier_base 可改。",
        en="The text multiplies now “the 息 of the win”, now the hard 息. Here: only the hard 息, and additions come after; "
        "multiplier_base changes that.",
    ),
    Reading(
        id="R-CHUNYIN",
        zh="纯印代替印胡，每口100息。chunyin 可改为另加。",
        en="纯印 takes the place of 印胡, 100 for each; chunyin may add it instead.",
    ),
    Reading(
        id="R-DUOHONG",
        zh="大卓多红说每张20息，例子却是10息的算法。这里：大卓每张20息。duohong_unit 可改。",
        en="The 大卓 line says 20 for each red card, its example counts 10. Here: 20 in 大卓; duohong_unit changes that.",
    ),
    Reading(
        id="R-DANDIAO",
        zh="单吊：胡的字凑成麻雀。dandiao 可改为手中只剩一张。",
        en="单吊 is a win that completes the pair; dandiao may ask for a single card left in hand.",
    ),
    Reading(
        id="R-WUDUI",
        zh="无对胡的两处说法不合，取其并：没有对子；或只有一种黑字成对；或只有两对黑字，各两张，"
        "都没有团圆的门子（wudui_two_black 可去掉）。",
        en="The text gives two conditions of 无对胡 that disagree; the union is taken: no pair; or a single black kind twice or "
        "more; or two black pairs of which neither can become 团圆 (wudui_two_black takes the last away).",
    ),
    Reading(
        id="R-PAY",
        zh="原文没说谁付。这里：两个输家各付胡家总息。",
        en="The text names no payer. Here: each of the two losing players pays the winner the total.",
    ),
    Reading(
        id="R-SHOUXING",
        zh="有人胡时守醒“也参与得钱”，多少没说：shouxing_win 默认不得；臭局三家各付守醒 draw_fee，默认0。没写明就提示。",
        en="When somebody wins 守醒 is paid too, and how much is not said: nothing unless shouxing_win says so. On 臭 each of the "
        "three pays him draw_fee, 0 unless said. Where the rules do not name it a notice says so.",
    ),
)
